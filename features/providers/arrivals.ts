import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Arrived } from './clients/client.ts'
import { readSealed, setSealed, tenMinutesMs } from './sealed-cookies.ts'

/** Somebody whom a provider knows and we do not, between the way back from there and the decision of the person. */
export type Arrival = Arrived & {
  provider: string
  invitation?: string | undefined
  at: number
}

const cookie = 'provider_arrival'

export function rememberArrival(reply: FastifyReply, arrival: Omit<Arrival, 'at'>) {
  return setSealed(reply, cookie, { ...arrival, at: reply.server.now().getTime() } satisfies Arrival)
}

/** Who arrived in this browser within ten minutes, from this provider if one is named. */
export function arrivalIn(request: FastifyRequest, provider?: string) {
  const arrival = readSealed(request, cookie) as Arrival | undefined
  const isFresh = arrival !== undefined && arrival.at + tenMinutesMs > request.server.now().getTime()
  return isFresh && (provider === undefined || arrival.provider === provider) ? arrival : undefined
}

/** Who arrived, if they proved to be the user of this address. It can be connected in one step. */
export function arrivalOf(request: FastifyRequest, user: { email: string; verified: boolean }) {
  const arrival = arrivalIn(request)
  return arrival?.proved && user.verified && arrival.email === user.email ? arrival : undefined
}

export const forgetArrival = (reply: FastifyReply) => reply.clearHostCookie(cookie)
