import { and, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { greeting } from '../../plugins/mail/names.ts'
import { restorableInWords } from '../auth/addresses.ts'
import { defineNotice, type NoticeIds } from '../auth/notices.ts'
import { paths } from '../paths.ts'
import { mintCode } from './codes.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    /**
     * Contains the address that was asked for, known or not, so that all requests take the same time. `budget` is what
     * a browser that knows the person counts by.
     */
    sign_in_code: { codeId: string; email: string; budget?: string }
    ways_in_removed: NoticeIds
  }
}

/** Nothing to click: whoever reads somebody's mail can open a link, and mail scanners do. */
export function defineMails(app: FastifyInstance) {
  const { appName, demoEmail } = app.site
  app.mail.define('sign_in_code', {
    async compose({ codeId, email, budget }) {
      const [user] = await app.db
        .select()
        .from(users)
        .where(and(eq(users.email, email), eq(users.verified, true), isNull(users.suspendedAt)))
      const code = user && user.email !== demoEmail ? await mintCode(app, codeId, user, budget) : undefined
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
  defineNotice(app, 'ways_in_removed', async ({ userId, details }) => ({
    subject: text('Your other ways to sign in were removed'),
    preheader: text('They may have been those of somebody else. Set up your own now.'),
    paragraphs: [
      text(
        `You signed in to {appName} with a code by mail. It proves for the first time that this address is yours, so
          what was set up before was removed: it may belong to whoever signed up with somebody else's address.`,
        { appName },
      ),
      text('Removed: {ways}. All other devices have been signed out.', { ways: inWords(app, details.ways) }),
      ...(await restorableInWords(app, userId)),
    ],
    advice: [text('If these were yours, you can set them up again. Until then, you sign in with a code by mail.')],
    action: { label: text('Set up your sign-in'), url: paths.security().url },
  }))
}

/** What this version doesn't know is left out. */
const inWords = ({ signInMethods }: FastifyInstance, ways: unknown) =>
  [...signInMethods].flatMap(({ name, title }) => (title && (ways as string[]).includes(name) ? [title] : []))
