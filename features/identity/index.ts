import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { greeting } from '../../plugins/mail/names.ts'
import { neverVerified } from '../auth/user-deletion.ts'
import { paths } from '../paths.ts'
import { mintLink } from './links.ts'
import { addressRoutes } from './routes/addresses.ts'
import { passwordResetRoutes } from './routes/password-reset.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    email_verification: { userId: number }
    /** Contains the requested address, known or not, so that all requests take the same time. */
    password_reset: { email: string }
  }
}

/** Links by mail, which prove that people own their addresses. */
export const identity: FastifyPluginAsync = async (app) => {
  defineMails(app)
  app.register(addressRoutes)
  app.register(passwordResetRoutes)
}

function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  app.mail.define('email_verification', {
    async compose({ userId }) {
      const unverified = and(eq(users.id, userId), eq(users.verified, false))
      const fields = { user: users, isSignUp: sql<boolean>`${neverVerified}` }
      const [row] = await app.db.select(fields).from(users).where(unverified)
      if (!row) return undefined
      const { user, isSignUp } = row
      const sid = mintLink(app.tokens, 'email_verification', user)
      const notMine = paths.notMine(mintLink(app.tokens, 'not_mine', user))
      return {
        to: user.email,
        language: user.language,
        subject: text('Verify your email'),
        preheader: text('One click shows us that this address is yours.'),
        paragraphs: [
          greeting(user.name), // cut, as the name may be spam to someone else's address
          text('Please verify that {email} is your email address, so we can reach you when it matters.', {
            email: user.email,
          }),
        ],
        action: { label: text('Verify email'), url: paths.verifyEmail(sid).url },
        footnotes: [
          text('The link works once and expires after two days.'),
          isSignUp
            ? text("If you didn't sign up for {appName}, you can ignore this email or remove the account.", {
                appName,
              })
            : text("If you don't know what this is about, you can ignore this email."),
        ],
        // Not after a change: a mistyped address must not let its owner delete someone else's account.
        ...(isSignUp && { secondaryAction: { label: text("This wasn't me: remove the account"), url: notMine.url } }),
      }
    },
  })

  app.mail.define('password_reset', {
    async compose({ email }) {
      const verified = and(eq(users.email, email), eq(users.verified, true))
      const [user] = await app.db.select().from(users).where(verified)
      if (!user) return undefined
      const sid = mintLink(app.tokens, 'password_reset', user)
      return {
        to: user.email,
        language: user.language,
        subject: text('Reset your password'),
        preheader: text('You have 20 minutes to choose a new one.'),
        paragraphs: [
          greeting(user.name),
          text('Someone, hopefully you, asked to reset your {appName} password.', { appName }),
        ],
        action: { label: text('Choose a new password'), url: paths.editPasswordReset(sid).url },
        footnotes: [
          text('The link works once and expires after 20 minutes.'),
          text("If you didn't ask for this, you can ignore this email: your password stays as it is."),
        ],
      }
    },
  })
}
