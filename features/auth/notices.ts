import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Mails } from '../../plugins/mail/index.ts'
import { greeting } from '../../plugins/mail/names.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'

type Person = { email: string; verified: boolean }

/**
 * Queues a mail that tells people of a change to their own account. Only to a verified address, since any other may be
 * a stranger's, and only so many a day, since whoever is signed in decides how often something changes.
 */
export async function queueNotice<Name extends keyof Mails & string>(
  { mail }: Pick<FastifyInstance, 'mail'>,
  tx: Tx,
  { email, verified }: Person,
  name: Name,
  ids: Mails[Name],
) {
  if (verified && (await tryTakeMail(tx, 'notice_mail', email))) await mail.queue(tx, name, ids)
}

type Notice = { subject: string; paragraphs: string[]; footnotes: string[] }

/**
 * A mail that tells users of a change to how they sign in, or undefined if the address is not known to be theirs. It
 * has no links, since a security warning must not look like phishing.
 */
export async function composeNotice(db: Database, userId: number, { subject, paragraphs, footnotes }: Notice) {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), eq(users.verified, true)))
  if (!user) return undefined
  return {
    to: user.email,
    subject,
    heading: subject,
    paragraphs: [greeting(user.name), ...paragraphs],
    footnotes,
  }
}

/** The last line of a notice: what to do if it was somebody else. */
export const ifNotYou = (advice: string) => `That was not you? Then somebody knows your password. ${advice}`
