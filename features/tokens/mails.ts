import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { defineNotice, type NoticeIds } from '../auth/notices.ts'
import { paths } from '../paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    token_created: NoticeIds
    token_revoked: NoticeIds
  }
}

const action = { label: text('Review your tokens'), url: paths.tokens().url }

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  defineNotice(app, 'token_created', () => ({
    subject: text('A token was created'),
    paragraphs: [text('Programs with this token can use {appName} as you, until it expires.', { appName })],
    advice: [text("If this wasn't you, someone knows your password. Change it, and revoke the token.")],
    action,
  }))
  defineNotice(app, 'token_revoked', () => ({
    subject: text('A token was revoked'),
    paragraphs: [text('Programs with this token can no longer use {appName}.', { appName })],
    advice: [text("If this wasn't you, someone else was signed in as you. End all other sessions.")],
    action,
  }))
}
