import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { chooseNewPassword, defineNotice, type NoticeIds, reviewSessions } from '../auth/notices.ts'
import { secondFactorOf } from './ways-in.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    second_factor_locked: NoticeIds
    second_factor_enabled: NoticeIds
    second_factor_disabled: NoticeIds
    recovery_code_used: NoticeIds
  }
}

const advice = [text("If this wasn't you, someone knows your password. Change it right away.")]

export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  defineNotice(app, 'second_factor_enabled', () => ({
    subject: text('Two-factor authentication is on'),
    preheader: text('Check that it was you, and keep your recovery codes in a safe place.'),
    paragraphs: [
      text(
        `From now on, signing in to {appName} with your password also takes a code from your authenticator app. All
          other devices have been signed out.`,
        { appName },
      ),
      text('Keep your recovery codes in a safe place: without your phone, they are your way in.'),
    ],
    advice,
  }))
  defineNotice(app, 'second_factor_disabled', () => ({
    subject: text('Two-factor authentication is off'),
    preheader: text('Check that it was you: from now on, your password alone is enough.'),
    paragraphs: [
      text(`From now on, your password alone is enough to sign in to {appName}. Your recovery codes no longer work.`, {
        appName,
      }),
    ],
    advice,
  }))
  defineNotice(app, 'second_factor_locked', () => ({
    subject: text('Somebody knows your password'),
    preheader: text('Change it now. They did not get in.'),
    paragraphs: [
      text(
        `Someone entered your password on {appName}, then ten wrong codes in a row. They did not get in. Codes from
          your authenticator app are blocked for a while; a recovery code or a passkey still signs you in.`,
        { appName },
      ),
    ],
    advice: [text('Change your password now, here and anywhere else you use it.'), ...advice],
    action: chooseNewPassword,
    secondaryAction: reviewSessions,
  }))
  defineNotice(app, 'recovery_code_used', async ({ userId }) => ({
    subject: text('A recovery code was used'),
    preheader: text('Check that it was you, and how many codes are left.'),
    paragraphs: [
      text('Someone signed in to {appName} with your password and one of your recovery codes.', { appName }),
      countOf((await secondFactorOf(app.db, userId))?.codesLeft ?? 0),
    ],
    advice,
  }))
}

function countOf(left: number) {
  if (left === 0) return text('You have none left. Create new ones.')
  return left === 1 ? text('You have one left.') : text('You have {count} left.', { count: left })
}
