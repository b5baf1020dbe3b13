import { and, eq, gte } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessions } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { SignedOut } from '../../plugins/security/while-signed-in.ts'
import type { Session } from '../auth/requests.ts'
import { type Arrival, arrivalOf } from './arrivals.ts'

type User = { email: string; verified: boolean }

/** Whether the person who arrived proved to be the user of this address. */
export const isConnectable = ({ proved, email }: Arrival, user: User) => proved && user.verified && email === user.email

/** The provider that the signed-in person came from before they signed in, to be connected in one step. */
export function connectableOf(
  app: Pick<FastifyInstance, 'now' | 'sealing' | 'waysIn'>,
  request: FastifyRequest,
  user: User,
) {
  const arrival = arrivalOf(app, request)
  const isOffered = arrival !== undefined && isConnectable(arrival, user)
  return isOffered ? app.waysIn.offers.find(({ id }) => id === arrival.provider) : undefined
}

/** The session must have begun after the arrival: nobody else's is extended by whoever comes to their screen. */
export async function requireLater(tx: Tx, { token }: Session, { at }: Arrival) {
  const later = and(eq(sessions.token, token), gte(sessions.createdAt, new Date(at)))
  if ((await tx.$count(sessions, later)) === 0) throw new SignedOut()
}
