import { and, eq } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'

type Notice = { subject: string; paragraphs: string[]; advice: string }

/**
 * A mail that tells users of a change to how they sign in, or undefined if the address is not known to be theirs. It
 * has no links, since a security warning must not look like phishing.
 */
export async function composeNotice(db: Database, userId: number, { subject, paragraphs, advice }: Notice) {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), eq(users.verified, true)))
  if (!user) return undefined
  return {
    to: user.email,
    subject,
    heading: subject,
    paragraphs: [`Hello ${user.name},`, ...paragraphs],
    footnotes: [`That was not you? Then somebody knows your password. ${advice}`],
  }
}
