import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { chooseNewPassword, defineNotice, type NoticeIds } from '../auth/notices.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    second_factor_enabled: NoticeIds
    second_factor_disabled: NoticeIds
    recovery_code_used: NoticeIds
    second_factor_locked: NoticeIds
  }
}

const advice = [text('That was not you? Then somebody knows your password. Please change it at once.')]

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  defineNotice(app, 'second_factor_enabled', () => ({
    subject: text('Two-factor authentication is on'),
    paragraphs: [
      text(
        `From now on, signing in at {appName} with your password also takes a code from your authenticator app.
          All other devices have been signed out.`,
        { appName },
      ),
      text('Keep your recovery codes in a safe place: without your phone they are the way in.'),
    ],
    advice,
  }))
  defineNotice(app, 'second_factor_disabled', () => ({
    subject: text('Two-factor authentication is off'),
    paragraphs: [
      text(`From now on, your password alone is enough to sign in at {appName}. Your recovery codes are void.`, {
        appName,
      }),
    ],
    advice,
  }))
  defineNotice(app, 'second_factor_locked', () => ({
    subject: text('Somebody knows your password'),
    paragraphs: [
      text(
        `Somebody typed your password at {appName}, and then ten wrong codes in a row. They are not in, and codes
          of your authenticator app are refused for a while. A recovery code or a passkey still signs you in.`,
        { appName },
      ),
    ],
    advice: [text('Please change your password now, and wherever else you use it.'), ...advice],
    action: chooseNewPassword,
  }))
  defineNotice(app, 'recovery_code_used', async ({ userId }) => ({
    subject: text('A recovery code was used'),
    paragraphs: [
      text('Somebody signed in at {appName} with your password and one of your recovery codes.', { appName }),
      countOf(await countRecoveryCodes(app.db, userId)),
    ],
    advice,
  }))
}

function countOf(left: number) {
  if (left === 0) return text('None is left. Please make new ones.')
  return left === 1 ? text('One of them is left.') : text('{count} of them are left.', { count: left })
}
