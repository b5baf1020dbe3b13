import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Browser } from './browser.ts'
import { password } from './people.ts'

type Options = { challenge: string; user?: { id: string }; rp?: { id: string }; rpId?: string }
/** What a dishonest or broken authenticator, or a page in between, might change. */
export type Lies = Partial<{
  origin: string
  rpId: string
  challenge: string
  crossOrigin: boolean
  type: string
  verified: boolean
  present: boolean
  syncable: boolean
  synced: boolean
  counter: number
  id: string
  userHandle: string | undefined
}>

/** What is refused, whatever was asked for. */
export const commonLies: Record<string, Lies> = {
  'from a foreign origin': { origin: 'https://evil.example' },
  'from another port': { origin: 'http://localhost:3001' },
  'for a foreign relying party': { rpId: 'evil.example' },
  'without user verification': { verified: false },
  'without a person': { present: false },
  'from inside of another page': { crossOrigin: true },
  'with a challenge that was made up': { challenge: Buffer.alloc(70).toString('base64url') },
}

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** A minimal authenticator: a key that signs whatever it is asked to, with any deviation that a test wants. */
export class Authenticator {
  readonly id = base64url(randomBytes(32))
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #nature: Lies
  counter = 0
  userHandle: string | undefined

  /** Deviations for all responses, unless a single one overrides them. */
  constructor(nature: Lies = {}) {
    this.#nature = nature
  }

  create({ challenge, user, rp }: Options, lies: Lies = {}) {
    const says = { ...this.#nature, ...lies }
    this.userHandle = user?.id
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinates = [x, y].map((text) => Buffer.from(text, 'base64url'))
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      coordinates[0] ?? Buffer.alloc(0),
      Buffer.from('225820', 'hex'),
      coordinates[1] ?? Buffer.alloc(0),
    ])
    const credentialId = Buffer.from(says.id ?? this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    const authData = Buffer.concat([
      this.#authData(says.rpId ?? rp?.id ?? '', says, 0x40),
      Buffer.alloc(16),
      length,
      credentialId,
      cose,
    ])
    const clientDataJSON = clientData({ type: 'webauthn.create', challenge, ...says })
    const attestationObject = Buffer.concat([
      Buffer.from('a3', 'hex'),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from('a0', 'hex'),
      text('authData'),
      bytes(authData),
    ])
    const response = {
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    }
    return { id: says.id ?? this.id, rawId: says.id ?? this.id, response, ...fixed }
  }

  get({ challenge, rpId }: Options, lies: Lies = {}) {
    const says = { ...this.#nature, ...lies }
    const clientDataJSON = clientData({ type: 'webauthn.get', challenge, ...says })
    const authenticatorData = this.#authData(says.rpId ?? rpId ?? '', says)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), this.#keys.privateKey)
    const response = {
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: 'userHandle' in says ? says.userHandle : this.userHandle,
    }
    return { id: says.id ?? this.id, rawId: says.id ?? this.id, response, ...fixed }
  }

  #authData(
    rpId: string,
    { verified = true, present = true, syncable, synced, counter = this.counter }: Lies,
    more = 0,
  ) {
    const flags = (present ? 1 : 0) | (verified ? 4 : 0) | (syncable ? 8 : 0) | (synced ? 16 : 0) | more
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), tail])
  }
}

const fixed = { type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform' }

const clientData = ({ type, challenge, origin = 'http://localhost:3000', crossOrigin = false }: Lies) =>
  JSON.stringify({ type, challenge, origin, crossOrigin })

// The part of CBOR that attestations need.
const text = (words: string) => Buffer.concat([Buffer.from([0x60 + words.length]), Buffer.from(words)])
function bytes(content: Buffer) {
  const head = Buffer.from([0x59, 0, 0])
  head.writeUInt16BE(content.length, 1)
  return Buffer.concat([head, content])
}

export const creationOptions = async (browser: Browser) =>
  (await browser.request('POST', '/settings/passkeys/options', { body: { password_challenge: password } })).json()

export const requestOptions = async (browser: Browser) =>
  (await browser.request('POST', '/sign_in/passkey/options', { body: {} })).json()

/** Creates a passkey in a signed-in browser and returns the resulting page. */
export async function register(browser: Browser, authenticator = new Authenticator(), lies?: Lies, more: object = {}) {
  const response = authenticator.create(await creationOptions(browser), lies)
  return browser.submit('POST', '/settings/passkeys', { response, ...more })
}

/** Signs in with a passkey in a guest's browser and returns the resulting page. */
export async function signInWith(browser: Browser, authenticator: Authenticator, lies?: Lies, more: object = {}) {
  const response = authenticator.get(await requestOptions(browser), lies)
  return browser.submit('POST', '/sign_in/passkey', { response, ...more })
}

export const challengeOptions = async (browser: Browser) =>
  (await browser.request('POST', '/settings/passkey_challenge', { body: {} })).json()

/** A passkey of the person who is signed in, which answers challenges in place of the password. */
export async function addPasskey(browser: Browser, authenticator = new Authenticator()) {
  const page = await register(browser, authenticator)
  if (!page.props.passkeys?.length) throw new Error(`no passkey but ${JSON.stringify(page.flash)}`)
  const answer = async (lies?: Lies) => authenticator.get(await challengeOptions(browser), lies)
  return { authenticator, id: page.props.passkeys.at(-1).id as number, answer }
}

/** What a broken or hostile page may send in place of an assertion. */
export function malformed({ response, ...rest }: ReturnType<Authenticator['get']>): unknown[] {
  const deep = '['.repeat(20_000)
  return [
    ...[undefined, null, 0, 1, true, false, 'x', '\0', '{', 'null', '[]', '"x"', '7', [], {}, [null], deep, '\ud800'],
    ...[{ id: 1 }, { id: '\0' }, { id: 'x'.repeat(100_000) }],
    rest,
    { ...rest, response: null },
    { ...rest, response: 1 },
    { ...rest, response: {} },
    { ...rest, response: { ...response, clientDataJSON: 7 } },
    { ...rest, response: { ...response, clientDataJSON: 'bnVsbA' } },
    { ...rest, response: { ...response, authenticatorData: 'AA' } },
    { ...rest, response: { ...response, signature: 'AA' } },
    { ...rest, response: { ...response, userHandle: { toString: 1 } } },
    { ...rest, response: { ...response, userHandle: 'AAAA' } },
    { ...rest, rawId: 'AAAA', response },
    { ...rest, type: 'password', response },
  ]
}
