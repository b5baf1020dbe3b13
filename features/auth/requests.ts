import type { FastifyRequest } from 'fastify'
import type { User } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { clientOf } from '../../plugins/http/client.ts'
import { lockUser, type Reauthentication } from '../../plugins/security/reauthentication.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import type { Session, Visitor } from './sessions.ts'

export const visitorOf = (request: FastifyRequest): Visitor => ({ ...clientOf(request), device: request.device() })

/** The session that asks, and the proof that it is still its user's. */
export type Confirmed = Session & { reauthentication: Reauthentication }

/** Throws Invalid. */
export const confirm = async (request: FastifyRequest): Promise<Confirmed> => ({
  ...request.signedIn.session,
  reauthentication: await request.reauthenticate(),
})

/** A transaction with the user locked. Throws Invalid if the proof is void by now, or SignedOut. */
export const whileConfirmed = <Result>(
  db: Database,
  { userId, token, reauthentication }: Confirmed,
  work: (tx: Tx, user: User) => Promise<Result>,
) => whileSignedIn(db, token, async (tx) => work(tx, await lockUser(tx, userId, reauthentication)))
