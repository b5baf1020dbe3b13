import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { paths } from '../paths.ts'
import { defineNotice } from './notices.ts'

/** What people are told when they are kept out, and when they are let in again. */
export function defineSuspensionMails(app: FastifyInstance) {
  const { appName } = app.site
  const home = { label: text('Open {appName}', { appName }), url: paths.home().url }
  const signIn = { label: text('Sign in'), url: paths.signInPage().url }

  defineNotice(app, 'suspended', () => ({
    subject: text('Your account was suspended'),
    preheader: text('You are signed out everywhere, until it is active again.'),
    paragraphs: [
      text('An operator of {appName} suspended your account. You are signed out everywhere.', { appName }),
      text('Your API tokens and the invitations that you sent have ended. What you own stays.'),
    ],
    advice: [text('If you think that this is a mistake, write to whoever runs {appName}.', { appName })],
    action: home,
  }))
  defineNotice(app, 'unsuspended', () => ({
    subject: text('Your account is active again'),
    preheader: text('You can sign in as before.'),
    paragraphs: [text('An operator of {appName} lifted the suspension of your account.', { appName })],
    advice: [text('You can sign in as before. Create API tokens and invitations anew where you need them.')],
    action: signIn,
  }))
}
