import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { defineNotice, type NoticeIds } from '../auth/notices.ts'
import { paths } from '../paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    operator_revoked: NoticeIds
    operator_granted: NoticeIds
  }
}

/** What people are told when somebody changes whether they are an operator. */
export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  const signIn = { label: text('Sign in'), url: paths.signInPage().url }

  defineNotice(app, 'operator_granted', () => ({
    subject: text('You are an operator now'),
    preheader: text('You can see and help everybody. You are signed out everywhere.'),
    paragraphs: [
      text('You can find people and workspaces on {appName} now, and help them. All that you look at is logged.', {
        appName,
      }),
      text('You are signed out everywhere. From now on, each sign-in takes two factors, in every browser.'),
    ],
    advice: [text('It ends when you turn off your authenticator app.')],
    action: signIn,
  }))
  defineNotice(app, 'operator_revoked', () => ({
    subject: text('You are no operator any more'),
    preheader: text('Your own account stays as it is.'),
    paragraphs: [text('You no longer see other people on {appName}. Your own account stays as it is.', { appName })],
    advice: [
      text("If you didn't expect this, check your authenticator app, and write to whoever runs {appName}.", {
        appName,
      }),
    ],
  }))
}
