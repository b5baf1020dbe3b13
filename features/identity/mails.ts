import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { greeting } from '../../plugins/mail/names.ts'
import { lifetimes } from '../../plugins/security/tokens.ts'
import { neverVerified } from '../auth/claims.ts'
import { paths } from '../paths.ts'
import { mintVerification } from './email-verification.ts'
import { mintNotMine } from './not-mine.ts'
import { mintReset } from './password-reset.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    email_verification: { userId: number }
    /** Contains the requested address, known or not, so that all requests take the same time. */
    password_reset: { email: string }
  }
}

type Options = { origin: string; appName: string }

export function defineMails(app: FastifyInstance, { origin, appName }: Options) {
  app.mail.define('email_verification', {
    importance: 'awaited',
    lifetime: lifetimes.email_verification,
    async compose({ userId }) {
      const [found] = await app.db
        .select({ user: users, isSignUp: sql<boolean>`${neverVerified(app.db)}` })
        .from(users)
        .where(and(eq(users.id, userId), eq(users.verified, false)))
      if (!found) return undefined
      const { user, isSignUp } = found
      const sid = mintVerification(app.tokens, user)
      const notMine = paths.notMine(mintNotMine(app.tokens, user))
      return {
        to: user.email,
        subject: 'Verify your email',
        heading: 'Verify your email',
        paragraphs: [
          greeting(user.name), // the name may be spam: whoever signed up may not own the address
          `Please verify that ${user.email} is your email address, so that we can reach you when it matters.`,
        ],
        action: { label: 'Verify email', url: origin + paths.verifyEmail(sid).url },
        footnotes: [
          'The link works once and for two days.',
          isSignUp
            ? `You did not sign up for ${appName}? Then you can ignore this mail, or remove the account.`
            : `You do not know what this is about? Then you can ignore this mail.`,
        ],
        // Not after a change: a mistyped address must not let its owner delete somebody else's account.
        ...(isSignUp && { lastly: { label: 'This was not me: remove the account', url: origin + notMine.url } }),
      }
    },
  })

  app.mail.define('password_reset', {
    importance: 'awaited',
    lifetime: lifetimes.password_reset,
    async compose({ email }) {
      const [user] = await app.db
        .select()
        .from(users)
        .where(and(eq(users.email, email), eq(users.verified, true)))
      if (!user) return undefined
      const sid = mintReset(app.tokens, user)
      return {
        to: user.email,
        subject: 'Reset your password',
        heading: 'Reset your password',
        paragraphs: [greeting(user.name), `Somebody, hopefully you, asked for a new password at ${appName}.`],
        action: { label: 'Choose a new password', url: origin + paths.editPasswordReset(sid).url },
        footnotes: [
          'The link works once and for 20 minutes.',
          'You did not ask for it? Then you can ignore this mail: your password stays as it is.',
        ],
      }
    },
  })
}
