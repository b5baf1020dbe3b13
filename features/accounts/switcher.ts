import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accounts, invitations, memberships, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { once, optional } from '../../plugins/inertia/index.ts'
import { ownerShownIn, personalAccountOf } from './accounts.ts'
import { presentReference } from './props.ts'

declare module '../../plugins/forms/flash.ts' {
  interface FlashState {
    /** What the account switcher lists has changed, so the next page sends it again. */
    listsChanged?: true
  }
}

export const listsChanged = { listsChanged: true } as const

const fiveMinutesMs = 300_000
const maxInvitations = 20

/**
 * Shares the lists of the account switcher, which the browser keeps. They are sent again after a change of one's own,
 * with a live message after a change by others, when the switcher opens, and after five minutes.
 */
export function shareLists(app: FastifyInstance) {
  const { db } = app
  const [accountsOf, openInvitationsTo] = [prepareAccounts(db), prepareInvitations(db)]
  const kept = (request: FastifyRequest, name: string, userId: number) => ({
    key: `${name}:${userId}`,
    expiresInMs: fiveMinutesMs,
    fresh: app.flashStore.read(request)?.listsChanged === true,
  })
  app.share('accounts', (request) => {
    const { id } = request.auth?.user ?? {}
    return id === undefined ? undefined : once(() => accountsOf(id), kept(request, 'accounts', id))
  })
  app.share('open_invitations', (request) => {
    if (!request.auth) return undefined
    const { id, email, verified } = request.auth.user
    const load = () => (verified ? openInvitationsTo(email, app.now()) : [])
    return once(load, kept(request, 'open_invitations', id))
  })
  app.share('personal_account', ({ auth }) => {
    if (!auth) return undefined
    return optional(async () => (await personalAccountOf(db, auth.user.id))?.slug ?? null)
  })
}

// Every document has these lists, and planning their queries takes longer than running them.

function prepareAccounts(db: Database) {
  const statement = db
    .select({
      name: accounts.name,
      slug: accounts.slug,
      picture: accounts.picture,
      person: ownerShownIn(sql`${memberships.userId}`),
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(eq(memberships.userId, sql.placeholder('userId')))
    .orderBy(asc(accounts.name), asc(accounts.id))
    .prepare(db.statement('accounts_of_user'))
  return async (userId: number) => (await statement.execute({ userId })).map(presentReference)
}

function prepareInvitations(db: Database) {
  const person = ownerShownIn(sql`null`)
  const isOpen = and(isNull(invitations.acceptedAt), gt(invitations.expiresAt, sql.placeholder('now')))
  const statement = db
    .select({
      id: invitations.id,
      account_name: accounts.name,
      inviter_name: sql<string>`coalesce(${users.name}, ${accounts.name})`,
      person,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .leftJoin(users, eq(users.id, invitations.inviterId))
    .where(and(eq(invitations.email, sql.placeholder('email')), isOpen))
    .orderBy(desc(invitations.id))
    .limit(maxInvitations)
    .prepare(db.statement('open_invitations_to'))
  return async (email: string, now: Date) => {
    const rows = await statement.execute({ email, now })
    return rows.map(({ person, ...row }) => ({ ...row, ...(person && ({ account_personal: true } as const)) }))
  }
}
