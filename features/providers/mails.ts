import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { defineNotice, type NoticeIds } from '../auth/notices.ts'
import { providerName } from '../auth/sign-in-methods.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    identity_connected: NoticeIds & { provider: string }
    identity_disconnected: NoticeIds & { provider: string }
  }
}

const advice = [
  text(
    `If this wasn't you, someone else was signed in as you. End all other sessions, and check your connected accounts.`,
  ),
]

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  defineNotice(app, 'identity_connected', ({ provider: id }) => {
    const provider = providerName(app, id)
    return {
      subject: text('{provider} was connected', { provider }),
      paragraphs: [
        text('Anyone who can sign in to your {provider} account can now sign in to {appName} as you.', {
          provider,
          appName,
        }),
      ],
      advice,
    }
  })
  defineNotice(app, 'identity_disconnected', ({ provider }) => ({
    subject: text('{provider} was disconnected', { provider: providerName(app, provider) }),
    paragraphs: [text('It can no longer be used to sign in to {appName} as you.', { appName })],
    advice,
  }))
}
