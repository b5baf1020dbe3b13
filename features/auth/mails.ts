import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { activities } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { composeNotice, reviewSessions } from './notices.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    new_sign_in: { activityId: number }
  }
}

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  app.mail.define('new_sign_in', {
    async compose({ activityId }) {
      const [signIn] = await app.db.select().from(activities).where(eq(activities.id, activityId))
      if (!signIn?.userId) return undefined
      return composeNotice(
        app.db,
        { userId: signIn.userId, activityId },
        {
          subject: text('New sign-in to {appName}', { appName }),
          paragraphs: [text('Somebody signed in as you with a browser that we have not seen before.')],
          advice: [
            text('That was you? Then you can ignore this mail.'),
            text(
              `That was not you? Then somebody knows your password. Please change it at once: all other devices are
                signed out by that.`,
            ),
          ],
          action: reviewSessions,
        },
      )
    },
  })
}
