import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import type { Tokens } from '../../plugins/security/tokens.ts'

/** What a link depends on. Once it changes, the link is void. */
const states = {
  // Includes `verified`, so a link works only once.
  email_verification: ({ email, emailRevision, verified }: User) => [email, emailRevision, verified].join(' '),
  // The address alone: whoever signed up with it can do nothing to make the link invalid.
  not_mine: ({ email }: User) => email,
  // Digests are salted, so an old link stays dead even if the same password is set again.
  password_reset: ({ email, emailRevision, passwordDigest }: User) => [email, emailRevision, passwordDigest].join(' '),
}

type Purpose = keyof typeof states

export const mintLink = (tokens: Tokens, purpose: Purpose, user: User) =>
  tokens.mint({ purpose, userId: user.id, state: states[purpose](user) })

/** The user of a link that still works. */
export async function userOfLink({ db, tokens }: FastifyInstance, purpose: Purpose, sid: string) {
  const token = tokens.read(purpose, sid)
  if (!token) return undefined
  const [user] = await db.select().from(users).where(eq(users.id, token.userId))
  return user && token.isFor(states[purpose](user)) ? user : undefined
}
