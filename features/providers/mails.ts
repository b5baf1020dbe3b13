import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { defineNotice, type NoticeIds } from '../auth/notices.ts'
import { nameOf } from './identities.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    identity_connected: NoticeIds & { provider: string }
    identity_disconnected: NoticeIds & { provider: string }
  }
}

const advice = [
  text(
    `That was not you? Then somebody else was signed in as you. Please end all other sessions, and look at your
      connected accounts.`,
  ),
]

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  defineNotice(app, 'identity_connected', ({ provider: id }) => {
    const provider = nameOf(app.waysIn, id)
    return {
      subject: text('{provider} was connected', { provider }),
      paragraphs: [
        text('Whoever can sign in at {provider} as you can sign in at {appName} as you, too.', { provider, appName }),
      ],
      advice,
    }
  })
  defineNotice(app, 'identity_disconnected', ({ provider }) => ({
    subject: text('{provider} was disconnected', { provider: nameOf(app.waysIn, provider) }),
    paragraphs: [text('It no longer signs anybody in at {appName} as you.', { appName })],
    advice,
  }))
}
