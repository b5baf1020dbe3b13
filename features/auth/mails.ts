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
          paragraphs: [text("Someone signed in to your account from a browser we haven't seen before.")],
          advice: [
            text('If this was you, you can ignore this email.'),
            text("If it wasn't, someone knows your password. Change it right away: that signs out all other devices."),
          ],
          action: reviewSessions,
        },
      )
    },
  })
}
