import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ProviderProfile } from './clients/client.ts'
import { readSealed, setSealed, tenMinutesMs } from './sealed-cookies.ts'

/** Someone whom a provider knows and we do not, between the way back from there and the decision of the person. */
export type PendingIdentity = ProviderProfile & {
  provider: string
  invitation?: string | undefined
  at: number
}

const cookie = 'provider_arrival'

export function setPendingIdentity(reply: FastifyReply, pending: Omit<PendingIdentity, 'at'>) {
  return setSealed(reply, cookie, { ...pending, at: reply.server.now().getTime() } satisfies PendingIdentity)
}

/** Who arrived in this browser within ten minutes, from this provider if one is named. */
export function readPendingIdentity(request: FastifyRequest, provider?: string) {
  const pending = readSealed(request, cookie) as PendingIdentity | undefined
  const isFresh = pending !== undefined && pending.at + tenMinutesMs > request.server.now().getTime()
  return isFresh && (provider === undefined || pending.provider === provider) ? pending : undefined
}

/** Who arrived, if they proved to be the user of this address. It can be connected in one step. */
export function pendingIdentityOf(request: FastifyRequest, user: { email: string; verified: boolean }) {
  const pending = readPendingIdentity(request)
  return pending?.proved && user.verified && pending.email === user.email ? pending : undefined
}

export const clearPendingIdentity = (reply: FastifyReply) => reply.clearHostCookie(cookie)
