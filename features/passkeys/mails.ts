import type { FastifyInstance } from 'fastify'
import { composeNotice, ifNotYou } from '../auth/notices.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    passkey_added: { userId: number }
    passkey_removed: { userId: number }
  }
}

const footnotes = [ifNotYou('Please change it, and look at your passkeys.')]

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  app.mail.define('passkey_added', {
    compose: ({ userId }) =>
      composeNotice(app.db, userId, {
        subject: 'A passkey was added',
        paragraphs: [`Whoever holds the new passkey can sign in at ${appName} as you, without your password.`],
        footnotes,
      }),
  })
  app.mail.define('passkey_removed', {
    compose: ({ userId }) =>
      composeNotice(app.db, userId, {
        subject: 'A passkey was removed',
        paragraphs: [`The passkey no longer signs anybody in at ${appName}.`],
        footnotes,
      }),
  })
}
