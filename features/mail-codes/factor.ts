import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { type Device, isKnown } from '../auth/device.ts'
import type { FirstFactor } from '../auth/first-factors.ts'
import { lockConcerned } from '../auth/sign-in-methods.ts'
import { consumeCode } from './codes.ts'
import { endUnproved } from './first-proof.ts'
import { mailCodeWords } from './words.ts'

export type MailCode = { id: string; device: Device | undefined }

// Whoever signed in here before has the mailbox, too.
const isFirstProof = (user: User, { device }: MailCode) => user.provedEmail !== user.email && !isKnown(device, user)

export const byMailCode = (app: FastifyInstance): FirstFactor<MailCode> => ({
  id: 'email_code',
  words: mailCodeWords,
  advice: text(
    "If it wasn't, someone reads your mail. Change the password of your mailbox first, then end all other sessions.",
  ),
  lock: 'update', // since the code proves the address, and may remove whatever was added before
  async lockAccounts(tx, userId, proof) {
    const [user] = await tx.select().from(users).where(eq(users.id, userId))
    return user && isFirstProof(user, proof) ? lockConcerned(app, tx, userId) : []
  },
  async consume(tx, user, proof, accounts) {
    if (!(await consumeCode(app, tx, proof.id, user))) return false
    return isFirstProof(user, proof) ? endUnproved(app, tx, user, accounts) : true
  },
  holds: () => true, // it was consumed
})
