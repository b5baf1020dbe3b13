import type { FastifyRequest } from 'fastify'
import type { User } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Messages } from '../../plugins/forms/flash.ts'
import { type Client, clientOf } from '../../plugins/http/client.ts'
import type { Device } from '../../plugins/security/device.ts'
import { lockUser, type Reauthentication } from '../../plugins/security/reauthentication.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'

/** The user and the session that asks. Nothing is done unless the session still exists. */
export type Session = { userId: number; token: string }

/** The client, and the device that its cookie names. */
export type Visitor = Client & { device: Device | undefined }

export const visitorOf = (request: FastifyRequest): Visitor => ({ ...clientOf(request), device: request.device() })

/** The session that asks, and the proof that it is still its user's. */
export type Confirmed = Session & { reauthentication: Reauthentication }

/** Throws Invalid, together with what else is wrong in the form. */
export const confirm = async (request: FastifyRequest, others?: Messages): Promise<Confirmed> => ({
  ...request.signedIn.session,
  reauthentication: await request.reauthenticate(others),
})

/** A transaction with the user locked. Throws Invalid if the proof is void by now, or SignedOut. */
export const whileConfirmed = <Result>(
  db: Database,
  { userId, token, reauthentication }: Confirmed,
  work: (tx: Tx, user: User) => Promise<Result>,
) => whileSignedIn(db, token, async (tx) => work(tx, await lockUser(tx, userId, reauthentication)))
