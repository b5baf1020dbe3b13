import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { composeNotice, type NoticeIds, reviewSessions } from '../auth/notices.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    identity_connected: NoticeIds & { provider: string }
    identity_disconnected: NoticeIds & { provider: string }
  }
}

type Options = { appName: string; nameOf(provider: string): string }

const advice = [
  text(
    `That was not you? Then somebody else was signed in as you. Please end all other sessions, and look at your
      connected accounts.`,
  ),
]

export function defineMails(app: FastifyInstance, { appName, nameOf }: Options) {
  app.mail.define('identity_connected', {
    compose: ({ provider, ...ids }) =>
      composeNotice(app.db, ids, {
        subject: text('{provider} was connected', { provider: nameOf(provider) }),
        paragraphs: [
          text('Whoever can sign in at {provider} as you can sign in at {appName} as you, too.', {
            provider: nameOf(provider),
            appName,
          }),
        ],
        advice,
        action: reviewSessions,
      }),
  })
  app.mail.define('identity_disconnected', {
    compose: ({ provider, ...ids }) =>
      composeNotice(app.db, ids, {
        subject: text('{provider} was disconnected', { provider: nameOf(provider) }),
        paragraphs: [text('It no longer signs anybody in at {appName} as you.', { appName })],
        advice,
        action: reviewSessions,
      }),
  })
}
