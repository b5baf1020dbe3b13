import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../plugins/database/index.ts'
import { tryTake } from '../../plugins/security/limits/index.ts'

type User = { id: number; email: string }

/** Queues a verification mail, unless the address has reached its daily limit, whoever asked for those mails. */
export async function queueVerification({ mail }: Pick<FastifyInstance, 'mail'>, tx: Tx, { id: userId, email }: User) {
  if (await tryTake(tx, 'verification_mail', email)) await mail.queue(tx, 'email_verification', { userId })
}
