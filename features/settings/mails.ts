import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { greeting } from '../../plugins/mail/names.ts'
import { composeNotice } from '../auth/notices.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    email_changed: { emailChangeId: number }
    password_changed: { userId: number }
  }
}

// No links here: a security warning must not look like phishing.

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  app.mail.define('email_changed', {
    async compose({ emailChangeId }) {
      const [change] = await app.db
        .select({ name: users.name, previousEmail: emailChanges.previousEmail })
        .from(emailChanges)
        .innerJoin(users, eq(users.id, emailChanges.userId))
        .where(eq(emailChanges.id, emailChangeId))
      if (!change) return undefined
      return {
        to: change.previousEmail,
        subject: 'Your email has been changed',
        heading: 'Your email has been changed',
        paragraphs: [
          greeting(change.name),
          `Somebody who knows your password has just changed the email address of your account at ${appName}. ` +
            'This address no longer signs you in, and we do not write to it any more.',
          'If that was you, all is well. If it was not, somebody else has your account now: ' +
            'answer this mail at once, and change this password wherever else you use it.',
        ],
      }
    },
  })

  app.mail.define('password_changed', {
    async compose({ userId }) {
      return composeNotice(app.db, userId, {
        subject: 'Your password has been changed',
        paragraphs: [
          `The password of your account at ${appName} has been changed, and all other devices have been signed out.`,
          ...(await otherWaysIn(app, userId)),
        ],
        footnotes: ['That was not you? Then open the sign-in page and ask for a new password at once.'],
      })
    },
  })
}

/** A new password does not change them, so people are told what else they may have to remove. */
async function otherWaysIn({ db, waysIn }: Pick<FastifyInstance, 'db' | 'waysIn'>, userId: number) {
  const ways = await waysIn.left(db, userId)
  if (ways.length === 0) return ['Besides the new password, nothing signs you in.']
  return [`Besides the new password, these ways to sign in are left: ${list.format(ways)}.`]
}

const list = new Intl.ListFormat('en')
