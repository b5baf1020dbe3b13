import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    passkey_added: { userId: number }
    passkey_removed: { userId: number }
  }
}

// No links here: a security warning must not look like phishing.

export function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  app.mail.define('passkey_added', {
    compose: ({ userId }) =>
      notice(
        userId,
        'A passkey was added',
        `Whoever holds the new passkey can sign in at ${appName} as you, without your password.`,
      ),
  })
  app.mail.define('passkey_removed', {
    compose: ({ userId }) =>
      notice(userId, 'A passkey was removed', `The passkey no longer signs anybody in at ${appName}.`),
  })

  async function notice(userId: number, subject: string, paragraph: string) {
    const [user] = await app.db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), eq(users.verified, true)))
    if (!user) return undefined
    return {
      to: user.email,
      subject,
      heading: subject,
      paragraphs: [`Hello ${user.name},`, paragraph],
      footnotes: ['That was not you? Then somebody knows your password. Please change it, and look at your passkeys.'],
    }
  }
}
