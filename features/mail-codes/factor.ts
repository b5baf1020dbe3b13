import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { type Device, isKnown } from '../auth/device.ts'
import type { FirstFactor } from '../auth/first-factors.ts'
import { consumeCode } from './codes.ts'
import { endUnproved } from './first-proof.ts'
import { mailCodeWords } from './words.ts'

export type MailCode = { id: string; device: Device | undefined }

export const byMailCode = (app: FastifyInstance): FirstFactor<MailCode> => ({
  id: 'email_code',
  words: mailCodeWords,
  advice: text(
    "If it wasn't, someone reads your mail. Change the password of your mailbox first, then end all other sessions.",
  ),
  lock: 'update', // since the code proves the address, and may remove whatever was added before
  async consume(tx, user, { id, device }) {
    if (!(await consumeCode(app, tx, id, user))) return false
    // Whoever signed in here before has the mailbox, too.
    const isFirstProof = user.provedEmail !== user.email && !isKnown(device, user)
    return isFirstProof ? endUnproved(app, tx, user) : true
  },
  holds: () => true, // it was consumed
})
