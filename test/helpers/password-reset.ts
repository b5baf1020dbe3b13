import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { mintLink } from '../../features/identity/links.ts'
import { Browser } from './browser.ts'

/** Resets a user's password with the link of the mail, in a browser without a session. */
export async function forgotten(app: FastifyInstance, email: string) {
  const [user] = await app.db.select().from(users).where(eq(users.email, email))
  if (!user) throw new Error('there is no such user')
  const fresh = { password: 'a fresh password', password_confirmation: 'a fresh password' }
  const browser = await Browser.open(app)
  return browser.submit('PATCH', '/identity/password_reset', {
    sid: mintLink(app.tokens, 'password_reset', user),
    ...fresh,
  })
}
