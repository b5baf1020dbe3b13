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
const bytesOf = (encoded = '') => Buffer.from(encoded, 'base64url')
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
    const id = bytesOf(says.id ?? this.id)
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = [hex('a5010203262001215820'), bytesOf(x), hex('225820'), bytesOf(y)]
    const about = this.#authData(says.rpId ?? rp?.id ?? '', says, 0x40)
    const authData = Buffer.concat([about, Buffer.alloc(16), length(id), id, ...key])
    const statement = [hex('a3'), text('fmt'), text('none'), text('attStmt'), hex('a0'), text('authData')]
    return this.#respond(says, {
      clientDataJSON: base64url(clientData({ type: 'webauthn.create', challenge, ...says })),
      attestationObject: base64url(Buffer.concat([...statement, hex('59'), length(authData), authData])),
      transports: ['internal'],
    })
  }

  get({ challenge, rpId }: Options, lies: Lies = {}) {
    const says = { ...this.#nature, ...lies }
    const clientDataJSON = clientData({ type: 'webauthn.get', challenge, ...says })
    const authenticatorData = this.#authData(says.rpId ?? rpId ?? '', says)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), this.#keys.privateKey)
    return this.#respond(says, {
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: 'userHandle' in says ? says.userHandle : this.userHandle,
    })
  }

  #respond<Response>({ id = this.id }: Lies, response: Response) {
    const fixed = { type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform' }
    return { id, rawId: id, response, ...fixed }
  }

  #authData(rpId: string, says: Lies, more = 0) {
    const { verified = true, present = true, syncable, synced, counter = this.counter } = says
    const flags = (present ? 1 : 0) | (verified ? 4 : 0) | (syncable ? 8 : 0) | (synced ? 16 : 0) | more
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), tail])
  }
}

const clientData = ({ type, challenge, origin = 'http://localhost:3000', crossOrigin = false }: Lies) =>
  JSON.stringify({ type, challenge, origin, crossOrigin })

// The part of CBOR that attestations need.
const text = (words: string) => Buffer.concat([Buffer.from([0x60 + words.length]), Buffer.from(words)])
const length = (content: Buffer) => Buffer.from([content.length >> 8, content.length & 255])
const hex = (digits: string) => Buffer.from(digits, 'hex')

const optionsOf =
  (path: string, body = {}) =>
  async (browser: Browser) =>
    (await browser.request('POST', path, { body })).json()
export const creationOptions = optionsOf('/settings/passkeys/options', { password_challenge: password })
export const requestOptions = optionsOf('/sign_in/passkey/options')
export const challengeOptions = optionsOf('/settings/passkey_challenge')

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
