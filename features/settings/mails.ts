import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { greeting } from '../../plugins/mail/names.ts'
import { restorableInWords } from '../auth/addresses.ts'
import { activityOf, chooseNewPassword, defineNotice, factsOf } from '../auth/notices.ts'
import { waysInWords } from '../auth/sign-in-methods.ts'
import { paths } from '../paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    email_changed: { emailChangeId: number; activityId?: number }
    /** The user no longer exists, so there is no id. */
    user_deleted: { email: string; language: string | null }
  }
}

export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  app.mail.define('email_changed', {
    async compose({ emailChangeId, activityId }) {
      const [row] = await app.db
        .select({ user: users, previousEmail: emailChanges.previousEmail })
        .from(emailChanges)
        .innerJoin(users, eq(users.id, emailChanges.userId))
        .where(eq(emailChanges.id, emailChangeId))
      if (!row) return undefined
      const { user, previousEmail } = row
      const sid = app.tokens.mint({ purpose: 'email_change', userId: user.id, state: String(emailChangeId) })
      return {
        to: previousEmail,
        language: user.language,
        subject: text('Your email has been changed'),
        preheader: text("If it wasn't you, take your account back within three days."),
        paragraphs: [
          greeting(user.name),
          text(
            `The email address of your {appName} account was just changed. This address no longer signs you in, and we
              won't write to it anymore.`,
            { appName },
          ),
        ],
        facts: factsOf(app, await activityOf(app.db, { userId: user.id, activityId })),
        advice: [
          text(
            `If this was you, there is nothing to do. If it wasn't, someone else has your account now: take it back
              right away, and change this password anywhere else you use it.`,
          ),
        ],
        // The only notice with a link that acts, since the person may have lost their account.
        action: { label: text('Take your account back'), url: paths.emailChange(sid).url },
        footnotes: [text('The link works once and expires after three days.')],
      }
    },
  })

  defineNotice(app, 'password_changed', async ({ userId }) => ({
    subject: text('Your password has been changed'),
    preheader: text('Check that it was you, and which other ways to sign in remain.'),
    paragraphs: [
      text('The password of your {appName} account has been changed, and all other devices have been signed out.', {
        appName,
      }),
      await otherMethods(app, userId),
      ...(await restorableInWords(app, userId)),
    ],
    advice: [text("If this wasn't you, choose a new password right away.")],
    action: chooseNewPassword,
  }))

  app.mail.define('user_deleted', {
    isPrivate: true,
    compose: async ({ email, language }) => ({
      to: email,
      language,
      subject: text('Your account has been deleted'),
      preheader: text('This confirms it. There is nothing left to do.'),
      paragraphs: [
        text('Hello,'),
        text('Your {appName} account has been permanently deleted, along with everything that belonged only to you.', {
          appName,
        }),
      ],
      advice: [text("If this wasn't you, someone knew your password. Change it anywhere else you use it.")],
    }),
  })
}

/** A new password does not end these, so people are told what they may have to remove. */
async function otherMethods(app: FastifyInstance, userId: number) {
  const ways = await waysInWords(app, userId)
  if (ways.length === 0) return text('Your new password is now the only way to sign in.')
  return text('Besides your new password, these ways to sign in remain: {ways}.', { ways })
}
