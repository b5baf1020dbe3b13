import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { defineNotice, type NoticeIds } from '../auth/notices.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    passkey_added: NoticeIds
    passkey_removed: NoticeIds
  }
}

const advice = [
  text('That was not you? Then somebody knows your password. Please change it, and look at your passkeys.'),
]

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  defineNotice(app, 'passkey_added', () => ({
    subject: text('A passkey was added'),
    paragraphs: [
      text('Whoever holds the new passkey can sign in at {appName} as you, without your password.', { appName }),
    ],
    advice,
  }))
  defineNotice(app, 'passkey_removed', () => ({
    subject: text('A passkey was removed'),
    paragraphs: [text('The passkey no longer signs anybody in at {appName}.', { appName })],
    advice,
  }))
}
