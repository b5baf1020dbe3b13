import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Arrived } from './clients/client.ts'
import { readSealed, setSealed } from './sealed-cookies.ts'

/** Somebody whom a provider knows and we do not, between the way back from there and the decision of the person. */
export type Arrival = Arrived & {
  provider: string
  invitation?: string | undefined
  at: number
}

type App = Pick<FastifyInstance, 'now' | 'sealing'>

const cookie = 'provider_arrival'
const tenMinutes = 600_000 // milliseconds

export function rememberArrival(app: App, reply: FastifyReply, arrival: Omit<Arrival, 'at'>) {
  return setSealed(app, reply, cookie, { ...arrival, at: app.now().getTime() } satisfies Arrival)
}

/** Who arrived in this browser within ten minutes, from this provider if one is named. */
export function arrivalOf(app: App, request: FastifyRequest, provider?: string) {
  const arrival = readSealed(app, request, cookie) as Arrival | undefined
  const isFresh = arrival !== undefined && arrival.at + tenMinutes > app.now().getTime()
  return isFresh && (provider === undefined || arrival.provider === provider) ? arrival : undefined
}

export const forgetArrival = (reply: FastifyReply) => reply.clearHostCookie(cookie)
