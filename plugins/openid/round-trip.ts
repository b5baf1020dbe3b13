import { createHmac, hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { consumeOnce } from '../security/once.ts'
import { sealedCookie } from '../security/sealed-cookie.ts'
import type { ProviderClient, ProviderProfile, Secrets } from './client.ts'
import { type Failure, failureOf, InvalidResponse } from './failures.ts'

/** Of a provider, by who owns it: the site, or somebody else. */
export type Policy = {
  /** What the cookie of starts calls it. */
  label: string
  /** Throws InvalidResponse if its secret can't be read. */
  client(): ProviderClient
  started?(reply: FastifyReply): void
  /** The provider says who they are. In the session that began it, if one did. */
  answer(reply: FastifyReply, profile: ProviderProfile, start: Start): unknown
  /** Where a browser goes that signed in meanwhile. */
  onward(reply: FastifyReply, start: Start): Promise<string>
  /** Leads back to where it began. `isOwn`: the browser really was on its way to this provider. */
  refuse(reply: FastifyReply, failure: Failure, from: { intent: Intent; isOwn: boolean }): unknown
}

/** Options of the route to which people come back. */
export const callbackRoute = (form: string | ((request: FastifyRequest) => string)) => ({
  config: { form },
  exposeHeadRoute: false, // link previews must not use it up
})

/** To the provider, in the session of this request if it has one. */
export async function leaveFor(reply: FastifyReply, policy: Policy, context: Context, loginHint?: string) {
  const { auth } = reply.request
  const intent = { ...context, ...(auth && { session: fingerprintOf(auth.session.token) }) }
  try {
    const url = await policy.client().begin(saveStart(reply, policy.label, intent), loginHint)
    policy.started?.(reply)
    return reply.external(String(url))
  } catch (error) {
    return policy.refuse(reply, failureOf(error), { intent, isOwn: true })
  }
}

export async function comeBack(reply: FastifyReply, policy: Policy) {
  const { request } = reply
  const { searchParams } = new URL(request.url, 'http://localhost') // its path and host don't count
  const saved = readStart(reply, searchParams.get('state'))
  let start: Start | undefined
  try {
    start = await consumeStart(request, saved, policy.label)
    if (request.auth && !start.session) return reply.redirect(await policy.onward(reply, start))
    if (searchParams.get('error') === 'access_denied')
      return await policy.refuse(reply, { outcome: 'cancelled' }, { intent: start, isOwn: true })
    const profile = await policy.client().finish(searchParams, secretsOf(start))
    return await policy.answer(reply, profile, start)
  } catch (error) {
    return policy.refuse(reply, failureOf(error), { intent: saved ?? {}, isOwn: start !== undefined })
  }
}

// What this browser keeps on its way to a provider and back: a sealed cookie of ten minutes.

/** Where it leads. */
type Context = { invitation?: string | undefined; returnTo?: string | undefined }
/** Why someone went to a provider: to sign in, or to connect it in this session. */
export type Intent = Context & { session?: string }
type Start = Intent & { provider: string; secret: string; expires: number }

export const tenMinutesMs = 600_000
// Not `provider_starts`, as in 0.3.0, which may run beside and fails at a value of this shape.
const starts = sealedCookie<{ all: Start[] }>('starts', tenMinutesMs)
const maxAtOnce = 4 // tabs
const maxReturnToChars = 400 // or four of them would not fit into a cookie

/** Saves what the way to the provider is for. Returns the state, the nonce and the verifier of PKCE. */
function saveStart(reply: FastifyReply, provider: string, intent: Intent) {
  const returnTo = (intent.returnTo?.length ?? 0) > maxReturnToChars ? undefined : intent.returnTo
  const secret = randomBytes(32).toString('base64url')
  const start: Start = { ...intent, returnTo, provider, secret, expires: reply.server.now().getTime() + tenMinutesMs }
  starts.set(reply, { all: [...startsIn(reply.request), start].slice(-maxAtOnce) })
  return secretsOf(start)
}

/** What was saved for the state in a URL, which is removed from the cookie. */
function readStart(reply: FastifyReply, state: unknown) {
  const saved = startsIn(reply.request)
  const match = saved.find((start) => secretsOf(start).state === state)
  if (!match) return undefined
  const others = saved.filter((start) => start !== match)
  if (others.length > 0) starts.set(reply, { all: others })
  else starts.clear(reply)
  return match
}

const startsIn = (request: FastifyRequest) =>
  (starts.read(request)?.all ?? []).filter(({ expires }) => expires > request.server.now().getTime())

/** Consumes a start of this provider, in the session that began it. Throws InvalidResponse. */
async function consumeStart({ auth, server }: FastifyRequest, start: Start | undefined, provider: string) {
  if (!start) throw new InvalidResponse('state_unknown')
  const value = { value: secretsOf(start).state, expiresAt: new Date(start.expires) }
  if (!(await consumeOnce(server.db, value))) throw new InvalidResponse('state_spent') // with a copy of the cookie
  if (start.provider !== provider) throw new InvalidResponse('state_of_another_provider')
  const isOurs = !start.session || start.session === (auth && fingerprintOf(auth.session.token))
  if (!isOurs) throw new InvalidResponse('state_of_another_session')
  return start
}

/** Derived from one secret, so that four of them fit into a cookie. */
function secretsOf({ secret }: Pick<Start, 'secret'>): Secrets {
  const derive = (label: string) => createHmac('sha256', secret).update(label).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/** Identifies a session in the cookie without its token. */
const fingerprintOf = (token: string) => hash('sha256', token, 'base64url')
