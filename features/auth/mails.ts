import Bowser from 'bowser'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { activities, users } from '../../drizzle/schema.ts'
import { greeting, nameInMail } from '../../plugins/mail/names.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    new_sign_in: { activityId: number }
  }
}

// No links here: a security warning must not look like phishing.

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  app.mail.define('new_sign_in', {
    async compose({ activityId }) {
      const [found] = await app.db
        .select({ name: users.name, email: users.email, userAgent: activities.userAgent, at: activities.createdAt })
        .from(activities)
        .innerJoin(users, eq(users.id, activities.userId))
        .where(and(eq(activities.id, activityId), eq(users.verified, true)))
      if (!found) return undefined
      return {
        to: found.email,
        subject: `New sign-in to ${appName}`,
        heading: `New sign-in to ${appName}`,
        paragraphs: [
          greeting(found.name),
          'Somebody signed in as you with a browser that we have not seen before: ' +
            `${nameOf(found.userAgent)}, on ${time.format(found.at)}.`,
        ],
        footnotes: [
          'That was you? Then you can ignore this mail.',
          'That was not you? Then somebody knows your password. Please change it at once: ' +
            'all other devices are signed out by that.',
        ],
      }
    },
  })
}

/** The browser and system in words that people know. */
function nameOf(userAgent: string | null) {
  if (!userAgent) return 'one that does not say what it is'
  const { browser, os } = Bowser.parse(userAgent)
  return nameInMail([browser.name, os.name].filter(Boolean).join(' on ')) ?? 'one that we do not know'
}

const time = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
