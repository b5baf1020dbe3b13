import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { Browser } from './browser.ts'
import type { Owner } from './owner.ts'

export type Person = { sub?: string; email?: string; email_verified?: unknown; name?: string; [claim: string]: unknown }

/** What the issuer does wrong. */
export type Lies = {
  /** Changes the claims of the id token. */
  claims?: (claims: JWTPayload) => JWTPayload
  header?: { alg?: string; kid?: string }
  /** The id token, signed as it should be, is replaced. */
  idToken?: (token: string) => string | undefined
  /** Signs with a key that it does not publish. */
  foreignKey?: boolean
  /** Signs with the client's secret. */
  secret?: string
  /** Instead of the answers of these paths, until the next person comes. */
  instead?: Record<string, (response: ServerResponse) => void>
  userinfo?: object
  /** Parameters of the way back. */
  back?: Record<string, string>
}

type Code = { person: Person; nonce: string | null; challenge: string | null; lies: Lies }

export const client = { id: 'accounts', secret: 'a secret between us and the issuer' }

/** A provider that says whatever a test wants, and checks of us what a provider has to. */
export async function startIssuer(owner: Owner) {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Code>()
  const tokens = new Map<string, Code>()
  const requests: string[] = []
  const state = { instead: {} as Lies['instead'], metadata: {} as object }

  const url = await serve(owner, (request, response) => {
    answer(request, response).catch((error) => response.writeHead(400).end(JSON.stringify({ error: error.message })))
  })

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const at = request.url ?? ''
    requests.push(at)
    const instead = state.instead?.[at]
    if (instead) return instead(response)
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (at === '/.well-known/openid-configuration') {
      return json({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/keys`,
        ...state.metadata,
      })
    }
    if (at === '/keys') return json({ keys: [jwk] })
    if (at === '/token') {
      const given = new URLSearchParams(await text(request))
      const code = codes.get(given.get('code') ?? '')
      if (!code || digestOf(given.get('code_verifier')) !== code.challenge) return json({ error: 'invalid_grant' }, 400)
      codes.delete(given.get('code') ?? '')
      const accessToken = `access-${tokens.size}`
      tokens.set(accessToken, code)
      const idToken = await idTokenFor(code)
      return json({ access_token: accessToken, token_type: 'Bearer', ...(idToken && { id_token: idToken }) })
    }
    const bearer = tokens.get(request.headers.authorization?.slice('Bearer '.length) ?? '')
    if (at === '/userinfo' && bearer) return json(bearer.lies.userinfo ?? bearer.person)
    json({ error: 'not_found' }, 404)
  }

  async function idTokenFor({ person, nonce, lies }: Code) {
    const now = Math.floor(Date.now() / 1000)
    const honest = { iss: url, aud: client.id, iat: now, exp: now + 300, ...(nonce && { nonce }), ...person }
    const key = lies.secret ? new TextEncoder().encode(lies.secret) : (lies.foreignKey ? foreign : own).privateKey
    const signed = await new SignJWT(lies.claims?.(honest) ?? honest)
      .setProtectedHeader({ alg: 'RS256', kid: 'own', ...lies.header })
      .sign(key)
    return lies.idToken ? lies.idToken(signed) : signed
  }

  let count = 0
  /** What the provider does once the person agreed: the address to send the browser back to. */
  function back(authorization: string, person: Person, lies: Lies = {}) {
    const asked = new URL(authorization).searchParams
    const code = `code-${count++}`
    codes.set(code, { person, nonce: asked.get('nonce'), challenge: asked.get('code_challenge'), lies })
    state.instead = lies.instead
    const to = new URL(asked.get('redirect_uri') ?? '')
    for (const [name, value] of Object.entries({ code, state: asked.get('state') ?? '', ...lies.back })) {
      to.searchParams.set(name, value)
    }
    return to.pathname + to.search
  }

  type Visit = { body?: object; lies?: Lies; button?: string }
  return {
    url,
    state,
    requests,
    back,
    /** Goes there by a button, agrees as this person, comes back, and follows to the page. */
    visit: async (browser: Browser, person: Person, { body, lies, button }: Visit = {}) =>
      comeBack(browser, back(await begin(browser, body, button), person, lies)),
  }
}

/** Serves on a free port until the test is over. Returns the address. */
export async function serve(owner: Owner, listener: RequestListener) {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  owner.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const digestOf = (verifier: string | null) => hash('sha256', verifier ?? '', 'base64url')

/** Presses the button of a provider. Returns where the browser is sent. */
export async function begin(browser: Browser, body: object = {}, url = '/sign_in/with/oidc') {
  const response = await browser.request('POST', url, { body })
  const location = response.headers['x-inertia-location']
  if (response.statusCode !== 409 || !location) throw new Error(`${response.statusCode} ${response.headers.location}`)
  return String(location)
}

/** Comes back from the provider, and follows to the page. */
export async function comeBack(browser: Browser, path: string) {
  const response = await browser.send('GET', path, { headers: { accept: 'text/html' } })
  return { response, page: await browser.follow(response) }
}
