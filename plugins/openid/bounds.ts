import { InvalidResponse, ProviderUnavailable } from './failures.ts'

// Only signatures with a private key. Anyone who knows the client secret could make the others.
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const maxChars = 2_000 // of a text, also of the parts of a key
const maxTokenChars = 65_536
const maxKeys = 100

const documentTexts = ['issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri']

/** What is used of a discovery document. The library keeps, and copies, all that it is given. */
export const documentBounds: Bounds = {
  maxBytes: 65_536,
  pick: (document) => ({
    ...textsIn(document, documentTexts, maxChars),
    ...listedIn(document, 'token_endpoint_auth_methods_supported', ['client_secret_basic', 'client_secret_post']),
    ...listedIn(document, 'id_token_signing_alg_values_supported', algorithms),
    authorization_response_iss_parameter_supported: document.authorization_response_iss_parameter_supported === true,
  }),
}

const keyMembers = ['kty', 'kid', 'use', 'alg', 'crv', 'x', 'y', 'n', 'e']

/**
 * What is used of public keys. The library compares the operations of a key pairwise (`key_ops`), at each signature.
 */
export const keySetBounds: Bounds = {
  maxBytes: 262_144,
  pick({ keys }) {
    if (!Array.isArray(keys)) return {}
    if (keys.length > maxKeys) throw new InvalidResponse('too_many_keys')
    const kept = keys.map((key) => textsIn(key ?? {}, keyMembers, maxChars))
    return { keys: kept.filter((key) => !Object.values(key).includes(null)) }
  },
}

const claims = ['sub', 'email', 'email_verified', 'name', 'hd', 'xms_edov']

/** What is used of the answers of the token endpoint, and of userinfo. */
export const answerBounds: Bounds = {
  maxBytes: 1_048_576,
  pick: (answer) => ({
    ...textsIn(answer, ['access_token', 'token_type', 'id_token', 'error'], maxTokenChars),
    ...scalarsIn(answer, claims),
  }),
}

/** Null stands for what is there and no text, or too long: it must not pass for what is absent. */
const textsIn = (answer: Members, names: string[], max: number) =>
  membersIn(answer, names, (value) => typeof value === 'string' && value.length <= max)

const scalarsIn = (answer: Members, names: string[]) =>
  membersIn(answer, names, (value) =>
    typeof value === 'string' ? value.length <= maxChars : typeof value !== 'object',
  )

function membersIn(answer: Members, names: string[], isKept: (value: unknown) => boolean) {
  const there = names.filter((name) => answer[name] !== undefined)
  return Object.fromEntries(there.map((name) => [name, isKept(answer[name]) ? answer[name] : null]))
}

function listedIn(document: Members, name: string, known: string[]) {
  const list = document[name]
  return Array.isArray(list) ? { [name]: known.filter((each) => list.includes(each)) } : {}
}

type Fetch = typeof globalThis.fetch

type Members = Record<string, unknown>

export type Bounds = {
  maxBytes: number
  /** What is kept of a JSON object. Without it, answers are handed on as they are. */
  pick?(answer: Members): Members
}

const timeoutMs = 5_000
const maxPieces = 2_000

/** Five seconds for each request, names and the last byte included. Throws ProviderUnavailable or InvalidResponse. */
export const boundedBy =
  (fetch: Fetch, { maxBytes, pick }: Bounds): Fetch =>
  async (url, options = {}) => {
    const headers = new Headers(options.headers)
    headers.set('accept-encoding', 'identity')
    const signal = AbortSignal.timeout(timeoutMs)
    const asked = { ...options, headers: Object.fromEntries(headers), redirect: 'manual', signal } as const
    const { status, body } = await fetch(url, asked)
      .then((response) => readAnswer(response, maxBytes))
      .catch((error) => {
        if (error instanceof ProviderUnavailable || error instanceof InvalidResponse) throw error
        throw new ProviderUnavailable('no answer', { cause: error })
      })
    return answerOf(status, pick ? pickedFrom(body, pick) : body)
  }

async function readAnswer({ status, headers, body }: Response, maxBytes: number) {
  // A few kilobytes can be inflated for ever without a byte that we would count.
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (status >= 500 || encoding !== 'identity') {
    await body?.cancel()
    throw status >= 500 ? new ProviderUnavailable(`it answers ${status}`) : new InvalidResponse('compressed')
  }
  return { status, body: await readAll(body, maxBytes) }
}

async function readAll(body: Response['body'], maxBytes: number) {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    pieces.push(piece)
    // Which also cancels the body. A byte in each piece costs a hundred times as much as its bytes.
    if (bytes > maxBytes || pieces.length > maxPieces) throw new InvalidResponse('too_large')
  }
  return Buffer.concat(pieces).toString()
}

/** Undefined if it is no JSON object. */
function pickedFrom(body: string, pick: NonNullable<Bounds['pick']>) {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    return undefined
  }
  return typeof answer === 'object' && answer !== null ? JSON.stringify(pick(answer as Members)) : undefined
}

/** Without the headers, of which a challenge (RFC 9110, 11.6.1) would hide from the library what the body says. */
function answerOf(status: number, body: string | undefined) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Response(status === 204 || status === 304 ? null : (body ?? ''), { status, headers })
}
