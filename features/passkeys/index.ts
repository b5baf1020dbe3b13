import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { defineNotice, type NoticeIds } from '../auth/notices.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { signInRoutes } from './routes/sign-in.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    passkey_added: NoticeIds
    passkey_removed: NoticeIds
  }
}

export const passkeys: FastifyPluginAsync<{ origin: string; appName: string }> = async (app, options) => {
  defineMails(app, options)
  app.register(signInRoutes, options)
  app.register(passkeyRoutes)
}

const advice = [text("If this wasn't you, someone knows your password. Change it, and check your passkeys.")]

function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  defineNotice(app, 'passkey_added', () => ({
    subject: text('A passkey was added'),
    paragraphs: [text('Anyone with this passkey can sign in to {appName} as you, without your password.', { appName })],
    advice,
  }))
  defineNotice(app, 'passkey_removed', () => ({
    subject: text('A passkey was removed'),
    paragraphs: [text('The passkey can no longer be used to sign in to {appName}.', { appName })],
    advice,
  }))
}
