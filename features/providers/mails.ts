import type { FastifyInstance } from 'fastify'
import { composeNotice } from '../auth/notices.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    identity_connected: { userId: number; provider: string }
    identity_disconnected: { userId: number; provider: string }
  }
}

type Options = { appName: string; nameOf(provider: string): string }

const footnotes = [
  'That was not you? Then somebody else was signed in as you. Please end all other sessions, and look at your ' +
    'connected accounts.',
]

export function defineMails(app: FastifyInstance, { appName, nameOf }: Options) {
  app.mail.define('identity_connected', {
    compose: ({ userId, provider }) =>
      composeNotice(app.db, userId, {
        subject: `${nameOf(provider)} was connected`,
        paragraphs: [`Whoever can sign in at ${nameOf(provider)} as you can sign in at ${appName} as you, too.`],
        footnotes,
      }),
  })
  app.mail.define('identity_disconnected', {
    compose: ({ userId, provider }) =>
      composeNotice(app.db, userId, {
        subject: `${nameOf(provider)} was disconnected`,
        paragraphs: [`It no longer signs anybody in at ${appName} as you.`],
        footnotes,
      }),
  })
}
