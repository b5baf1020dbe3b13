/** What a provider says about the person who came back from it. */
export type Arrived = {
  issuer: string
  subject: string
  email: string | null
  name: string | null
  /** Whether the provider vouches that the address is the person's. */
  proved: boolean
}

/** What ties an answer to the browser that asked. */
export type Secrets = { state: string; nonce: string; verifier: string }

/** A provider that people can sign in with. */
export type Client = {
  id: string
  name: string
  /** Where to send the browser. Throws OutOfReach or Untrusted. */
  begin(secrets: Secrets): Promise<URL>
  /** Who came back with these parameters. Throws OutOfReach or Untrusted. */
  finish(parameters: URLSearchParams, secrets: Secrets): Promise<Arrived>
  /** Whether the provider knows the id and the secret, as far as it tells. Throws OutOfReach or Untrusted. */
  check(): Promise<void>
}

/** How a client reaches its provider, and what it tells it. */
export type Surroundings = { fetch: typeof globalThis.fetch; redirectUri: string }
