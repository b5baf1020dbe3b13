import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'

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
          `Hello ${change.name},`,
          `Somebody who knows your password has just changed the email address of your profile at ${appName}. ` +
            'This address no longer signs you in, and we do not write to it any more.',
          'If that was you, all is well. If it was not, somebody else has your profile now: ' +
            'answer this mail at once, and change this password wherever else you use it.',
        ],
      }
    },
  })

  app.mail.define('password_changed', {
    async compose({ userId }) {
      const [user] = await app.db.select().from(users).where(eq(users.id, userId))
      if (!user) return undefined
      return {
        to: user.email,
        subject: 'Your password has been changed',
        heading: 'Your password has been changed',
        paragraphs: [
          `Hello ${user.name},`,
          `The password of your profile at ${appName} has been changed, and all other devices have been signed out.`,
        ],
        footnotes: ['That was not you? Then open the sign-in page and ask for a new password at once.'],
      }
    },
  })
}
