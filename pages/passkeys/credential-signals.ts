/** The methods of WebAuthn level 3 by which browsers and password managers hear what still works here. */
type Signals = {
  signalUnknownCredential?(of: { rpId: string; credentialId: string }): Promise<void>
  signalAllAcceptedCredentials?(of: { rpId: string; userId: string; allAcceptedCredentialIds: string[] }): Promise<void>
  signalCurrentUserDetails?(of: { rpId: string; userId: string; name: string; displayName: string }): Promise<void>
}

/** Undefined where there are no passkeys. What a browser makes of a signal is its own business. */
export const signals = () => (globalThis as { PublicKeyCredential?: Signals }).PublicKeyCredential

export const ignore = () => {}
