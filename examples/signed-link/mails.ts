import { and, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { greeting } from '../../plugins/mail/names.ts'
import { makeLink } from './factor.ts'
import { linkPaths } from './paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    /** Contains the address that was asked for, known or not, so that all requests take the same time. */
    sign_in_link: { email: string; invitation: string; returnTo: string }
  }
}

export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  app.mail.define('sign_in_link', {
    async compose({ email, invitation, returnTo }) {
      const isReachable = and(eq(users.email, email), eq(users.verified, true), isNull(users.suspendedAt))
      const [user] = await app.db.select().from(users).where(isReachable)
      if (!user) return undefined
      return {
        to: user.email,
        language: user.language,
        subject: text('Your link to {appName}', { appName }),
        preheader: text('It works once, for ten minutes.'),
        paragraphs: [greeting(user.name), text('This link signs you in.')],
        action: { label: text('Sign in'), url: linkPaths.openLink(makeLink(app, user), invitation, returnTo).url },
        footnotes: [text("If you didn't ask for a link, you can ignore this email.")],
      }
    },
  })
}
