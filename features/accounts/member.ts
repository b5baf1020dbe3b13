import { setTimeout } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Account, accounts, memberships, type Role, sessions, users } from '../../drizzle/schema.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { isPrefetch } from '../../plugins/inertia/index.ts'
import { budget } from '../../plugins/security/limits/index.ts'
import { returnPath } from '../../plugins/security/return-path.ts'
import { authColumns, isUnsuspended } from '../../plugins/security/session.ts'
import { isPageOfAnother } from '../../plugins/security/session-transaction.ts'
import { type Path, paths } from '../paths.ts'
import { RequirementUnmet, requireAllowed, requireMet, type UserActor } from './access.ts'
import { ownerShownIn, rememberAccount } from './accounts.ts'
import { type Person, presentAccount } from './props.ts'
import { account as asking, asks, member, proofOfSession, unmetRequirement } from './requirements.ts'
import type { Right } from './rights.ts'
import { reserved } from './slugs.ts'

type Member = {
  role: Role
  joinedAt: Date
  account: Account & { person: Person }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Guard for everything below /{slug}, which is a 404 to others. Throws RequirementUnmet. */
    requireMember(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  }
  interface FastifyRequest {
    member: Member | null
  }
}

/** Matches account URLs. A reserved or malformed slug is a 404 for guests and users alike. */
export const accountRoute = `/:slug(^(?!(?:${[...reserved].join('|')})$)[a-z0-9-]{3,40}$)`
export const AccountParams = Type.Object({ slug: Type.String() })
export const ItemParams = Type.Object({ slug: Type.String(), id: Type.String() })

export function addMemberGuard(app: FastifyInstance) {
  // Session, user, account and membership. Prepared, since every page of an account runs it.
  const finder = app.db
    .select({
      ...authColumns,
      account: accounts,
      person: ownerShownIn(sql`${users.id}`),
      membership: { joinedAt: memberships.createdAt, role: memberships.role },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accounts, eq(accounts.slug, sql.placeholder('slug')))
    .leftJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.userId, users.id)))
    .where(and(eq(sessions.token, sql.placeholder('token')), app.sessionPolicy.isActiveAt(), isUnsuspended))
    .prepare(app.db.statement('find_member'))

  let findUnmet: ReturnType<typeof prepareUnmet>
  app.addHook('onReady', async () => {
    findUnmet = prepareUnmet(app) // once all requirements are known
  })

  app.decorateRequest('member', null)
  app.decorate('requireMember', async (request: FastifyRequest, reply: FastifyReply) => {
    const { slug } = request.params as { slug: string }
    const token = request.sessionToken()
    const [row] = token ? await finder.execute({ token, slug, now: app.now().toISOString() }) : []
    if (!row) return app.redirectToSignIn(reply)

    await request.authenticate(row, reply)
    const { user, account, person, membership } = row
    // Unknown accounts and accounts of others look the same.
    if (!account || !membership) {
      // After a write of the wrong person, the way back lies below an account that is not theirs.
      if (isPageOfAnother(request)) return reply.redirect(paths.home().url)
      throw new NotFound()
    }
    // Few accounts ask for something, and of the others nothing more is read.
    if (asks(app, account)) {
      const place = { accountId: account.id, userId: user.id }
      const [found] = await findUnmet.execute({ ...place, token, now: app.now().toISOString() })
      requireMet(app, found?.unmet ?? null, account)
    }
    request.member = { ...membership, account: { ...account, person } }
    if (isVisit(request) && user.lastAccountId !== account.id) await rememberVisit(request, user.id, account.id)
  })
}

function prepareUnmet(app: FastifyInstance) {
  const { placeholder } = sql
  const proof = proofOfSession(sql`${placeholder('token')}`, sql`${placeholder('now')}::timestamptz`)
  return app.db
    .select({ unmet: unmetRequirement(app, proof) })
    .from(asking)
    .innerJoin(member, eq(member.accountId, asking.id))
    .where(and(eq(asking.id, placeholder('accountId')), eq(member.userId, placeholder('userId'))))
    .prepare(app.db.statement('find_unmet'))
}

// Prefetches and reloads of a tab in the background are not visits.
const isVisit = (request: FastifyRequest) =>
  request.method === 'GET' && !isPrefetch(request) && request.headers['x-unattended'] === undefined

/** The page is shown even while nothing can be written, so this hardly waits. */
const rememberVisit = ({ server, log }: FastifyRequest, userId: number, accountId: number) =>
  Promise.race([
    rememberAccount(server.db, userId, accountId).catch((error) => log.warn(error, 'the visit is not remembered')),
    setTimeout(timeoutMs, undefined, { ref: false }),
  ])
const timeoutMs = 250

/** Guards all routes of this plugin, which lie below /{slug}, so that none can forget the membership check. */
export function belowAccount(app: FastifyInstance) {
  app.addHook('onRequest', app.requireMember)
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof RequirementUnmet) return redirectToRequirement(reply, error)
    throw error
  })
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, deniedTo: formAt(paths.account) }
  })
}

function redirectToRequirement(reply: FastifyReply, { requirement: { path, alert }, account }: RequirementUnmet) {
  const returnTo = returnPath(reply.request, reply.server.site.origin)
  if (alert) reply.alert(alert(account.name))
  else if (returnTo) reply.flash({ returnTo })
  return reply.redirect(path(account.slug).url)
}

/** A guard. Throws Denied. */
export const requireRight = (right: Right) => async (request: FastifyRequest) =>
  requireAllowed(memberOf(request).role, right)

/** The current user's membership. Only for handlers behind requireMember. */
export function memberOf({ member }: FastifyRequest) {
  if (!member) throw new Error('this handler needs the guard requireMember')
  return member
}

export const actorOf = (request: FastifyRequest): UserActor => ({
  userId: request.signedIn.user.id,
  accountId: memberOf(request).account.id,
  credential: request.signedIn.session.token,
})

export function accountProps(request: FastifyRequest) {
  const { account, role } = memberOf(request)
  return {
    account: presentAccount(account),
    membership: { role, ...(account.personal && { personal: true as const }) },
  }
}

/** Counted for each person and account, so that no one can bury the activity of others. */
export const changeBudget = budget('account_change', {
  by: (request) => `${request.signedIn.user.id} ${memberOf(request).account.id}`,
})

export const formAt = (path: (slug: string) => Path) => (request: FastifyRequest) =>
  path((request.params as { slug: string }).slug).url

/** The form of something in an account, such as `/acme/projects/5/edit`. */
export const itemFormAt = (path: (slug: string, id: number) => Path) => (request: FastifyRequest) => {
  const { slug, id } = request.params as { slug: string; id: string }
  return path(slug, Number(id)).url
}
