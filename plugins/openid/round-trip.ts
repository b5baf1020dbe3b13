import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ProviderClient, ProviderProfile } from './client.ts'
import { Cancelled, type Failure, failureOf } from './failures.ts'
import { consumeStart, type Intent, readStart, type Start, saveStart, secretsOf } from './starts.ts'

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
export const returning = (form: string | ((request: FastifyRequest) => string)) => ({
  config: { form },
  exposeHeadRoute: false, // link previews must not use it up
})

export async function leaveFor(reply: FastifyReply, policy: Policy, intent: Intent, loginHint?: string) {
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
    if (searchParams.get('error') === 'access_denied') throw new Cancelled()
    const profile = await policy.client().finish(searchParams, secretsOf(start))
    return await policy.answer(reply, profile, start)
  } catch (error) {
    return policy.refuse(reply, failureOf(error), { intent: saved ?? {}, isOwn: start !== undefined })
  }
}
