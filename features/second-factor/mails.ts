import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    second_factor_enabled: { userId: number }
    second_factor_disabled: { userId: number }
    recovery_code_used: { userId: number }
  }
}

// No links here: a security warning must not look like phishing.

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  app.mail.define('second_factor_enabled', {
    compose: ({ userId }) =>
      notice(userId, 'Two-factor authentication is on', [
        `From now on, signing in at ${appName} with your password also takes a code from your authenticator app. All other devices have been signed out.`,
        'Keep your recovery codes in a safe place: without your phone they are the way in.',
      ]),
  })

  app.mail.define('second_factor_disabled', {
    compose: ({ userId }) =>
      notice(userId, 'Two-factor authentication is off', [
        `From now on, your password alone is enough to sign in at ${appName}. Your recovery codes are void.`,
      ]),
  })

  app.mail.define('recovery_code_used', {
    async compose({ userId }) {
      const left = await countRecoveryCodes(app.db, userId)
      return notice(userId, 'A recovery code was used', [
        `Somebody signed in at ${appName} with your password and one of your recovery codes.`,
        left === 0 ? 'None is left. Please make new ones.' : `${left} of them ${left === 1 ? 'is' : 'are'} left.`,
      ])
    },
  })

  async function notice(userId: number, subject: string, paragraphs: string[]) {
    const [user] = await app.db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), eq(users.verified, true)))
    if (!user) return undefined
    return {
      to: user.email,
      subject,
      heading: subject,
      paragraphs: [`Hello ${user.name},`, ...paragraphs],
      footnotes: ['That was not you? Then somebody knows your password. Please change it at once.'],
    }
  }
}
