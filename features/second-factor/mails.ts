import type { FastifyInstance } from 'fastify'
import { composeNotice, ifNotYou } from '../auth/notices.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    second_factor_enabled: { userId: number }
    second_factor_disabled: { userId: number }
    recovery_code_used: { userId: number }
    second_factor_locked: { userId: number }
  }
}

const footnotes = [ifNotYou('Please change it at once.')]

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  app.mail.define('second_factor_enabled', {
    compose: ({ userId }) =>
      composeNotice(app.db, userId, {
        subject: 'Two-factor authentication is on',
        paragraphs: [
          `From now on, signing in at ${appName} with your password also takes a code from your authenticator app. ` +
            'All other devices have been signed out.',
          'Keep your recovery codes in a safe place: without your phone they are the way in.',
        ],
        footnotes,
      }),
  })

  app.mail.define('second_factor_disabled', {
    compose: ({ userId }) =>
      composeNotice(app.db, userId, {
        subject: 'Two-factor authentication is off',
        paragraphs: [
          `From now on, your password alone is enough to sign in at ${appName}. Your recovery codes are void.`,
        ],
        footnotes,
      }),
  })

  app.mail.define('second_factor_locked', {
    compose: ({ userId }) =>
      composeNotice(app.db, userId, {
        subject: 'Somebody knows your password',
        paragraphs: [
          `Somebody typed your password at ${appName}, and then ten wrong codes in a row. They are not in, and codes ` +
            'of your authenticator app are refused for a while. A recovery code or a passkey still signs you in.',
          'Please change your password now, and wherever else you use it.',
        ],
        footnotes,
      }),
  })

  app.mail.define('recovery_code_used', {
    async compose({ userId }) {
      const left = await countRecoveryCodes(app.db, userId)
      return composeNotice(app.db, userId, {
        subject: 'A recovery code was used',
        paragraphs: [
          `Somebody signed in at ${appName} with your password and one of your recovery codes.`,
          left === 0 ? 'None is left. Please make new ones.' : `${left} of them ${left === 1 ? 'is' : 'are'} left.`,
        ],
        footnotes,
      })
    },
  })
}
