import { and, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../../drizzle/schema.ts'
import { text } from '../../../plugins/languages/index.ts'
import { greeting } from '../../../plugins/mail/names.ts'
import { mintCode } from './codes.ts'

declare module '../../../plugins/mail/index.ts' {
  interface Mails {
    /** Contains the address that was asked for, known or not, so that all requests take the same time. */
    sign_in_code: { codeId: string; email: string }
  }
}

/** Nothing to click: whoever reads somebody's mail can open a link, and mail scanners do. */
export function defineMails(app: FastifyInstance, demoEmail: string | undefined) {
  const { appName } = app.site
  app.mail.define('sign_in_code', {
    async compose({ codeId, email }) {
      const [user] = await app.db
        .select()
        .from(users)
        .where(and(eq(users.email, email), eq(users.verified, true), isNull(users.suspendedAt)))
      const code = user && user.email !== demoEmail ? await mintCode(app, codeId, user) : undefined
      if (!user || !code) return undefined
      return {
        to: user.email,
        language: user.language,
        subject: text('{code} is your code for {appName}', { code, appName }),
        preheader: text('It works for ten minutes, in the browser that asked for it.'),
        heading: text('Your code for {appName}', { appName }),
        paragraphs: [greeting(user.name), text('Enter it in the browser in which you asked for it:')],
        code,
        advice: [text('Never tell it to anybody. It works once, for ten minutes, and only in that browser.')],
        footnotes: [
          text("If you didn't ask for a code, you can ignore this email: nobody can sign in without the code."),
        ],
      }
    },
  })
}
