import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { accounts, invitations, memberships, type Role } from '../../drizzle/schema.ts'
import { mintInvitation } from '../../features/accounts/received-invitations.ts'
import { sharedApp, startApp } from './app.ts'
import { listen } from './listen.ts'
import { signedUp } from './people.ts'

/** Creates the account Acme with its owner, and returns a function that adds people to it. */
export async function startAcme(app: FastifyInstance) {
  const owner = await signedUp(app)
  const page = await owner.browser.submit('POST', '/accounts', { name: 'Acme' })
  const [account] = await app.db.select().from(accounts).where(eq(accounts.slug, page.props.account.slug))
  if (!account) throw new Error('Acme was not created')

  /** Adds a signed-up person with this role. */
  const join = async (role: Role) => {
    const someone = await signedUp(app)
    const values = { accountId: account.id, userId: someone.user.id, role }
    const [membership] = await app.db.insert(memberships).values(values).returning()
    return { ...someone, membershipId: membership?.id ?? 0 }
  }
  const membersNow = async () =>
    app.db.select().from(memberships).where(eq(memberships.accountId, account.id)).orderBy(memberships.id)
  const [own] = await membersNow()
  return { account, path: `/${account.slug}`, owner: { ...owner, membershipId: own?.id ?? 0 }, join, membersNow }
}

/** Acme in the shared application. */
export async function sharedAcme(t: Test) {
  const started = await sharedApp(t)
  return { ...started, ...(await startAcme(started.app)) }
}

/** Acme in an application of its own that listens, as streams need. */
export async function liveAcme(...given: Parameters<typeof startApp>) {
  const started = await startApp(...given)
  await listen(started.app)
  return { ...started, ...(await startAcme(started.app)) }
}

/** The token that the invitation's mail would contain. */
export async function tokenOf(app: FastifyInstance, invitationId: number) {
  const [invitation] = await app.db.select().from(invitations).where(eq(invitations.id, invitationId))
  const minted = await mintInvitation(app, invitationId, invitation?.mailId ?? randomUUID())
  if (!minted) throw new Error('there is no such invitation')
  return minted.token
}

/** The actor for this person and account. */
export const actorAt = (
  account: { id: number },
  { page, user }: Pick<Awaited<ReturnType<typeof signedUp>>, 'page' | 'user'>,
) => ({
  userId: user.id,
  accountId: account.id,
  credential: page.props.auth.session.id,
})
