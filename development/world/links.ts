import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, emailChanges, invitations, users } from '../../drizzle/schema.ts'
import { mintInvitation } from '../../features/accounts/received-invitations.ts'
import { mintLink } from '../../features/identity/links.ts'
import { paths } from '../../features/paths.ts'

// Links of mails that can be opened any number of times, since each picture takes a new one.

/** Of someone who is verified by it. */
export async function linkThatVerifies({ db, tokens }: FastifyInstance) {
  const zed = eq(users.email, 'zed@example.com')
  const [user] = await db.update(users).set({ verified: false }).where(zed).returning()
  return user ? `${paths.verifyEmail().url}?sid=${mintLink(tokens, 'email_verification', user)}` : '/'
}

/** Of someone whose address was changed by another. */
export async function linkThatRestores({ db, tokens }: FastifyInstance) {
  const [user] = await db.select().from(users).where(eq(users.email, 'away@example.com'))
  if (!user) return '/'
  const values = { userId: user.id, previousEmail: 'before@example.com', previousVerifiedAt: new Date() }
  const [change] = await db.insert(emailChanges).values(values).returning()
  return paths.emailChange(tokens.mint({ purpose: 'email_change', userId: user.id, state: String(change?.id) })).url
}

/** To a workspace that requires a second factor. */
export async function linkToVault(app: FastifyInstance) {
  const [vault] = await app.db.select().from(accounts).where(eq(accounts.slug, 'vault'))
  const expiresAt = new Date(Date.now() + 86_400_000)
  const values = { accountId: vault?.id ?? 0, email: `${randomUUID()}@example.com`, role: 'member', expiresAt } as const
  const [invitation] = await app.db.insert(invitations).values(values).returning()
  const minted = await mintInvitation(app, invitation?.id ?? 0, randomUUID())
  return paths.invitation(minted?.token ?? '').url
}
