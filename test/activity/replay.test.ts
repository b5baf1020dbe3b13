import { setTimeout as sleep } from 'node:timers/promises'
import { asc, eq, isNull, sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { accounts, invitations, memberships, type Role, rateLimits, sessions, users } from '../../drizzle/schema.ts'
import { connect, type Database } from '../../plugins/database/index.ts'
import { tokenOf } from '../helpers/accounts.ts'
import { recorded } from '../helpers/activities.ts'
import { addressOf } from '../helpers/address.ts'
import { startApp } from '../helpers/app.ts'
import type { Browser, Page } from '../helpers/browser.ts'
import { createDatabase } from '../helpers/database.ts'
import { signedIn, signedUp } from '../helpers/people.ts'
import { startProxy } from '../helpers/proxy.ts'

// Replaying the records must yield the actual state, whatever three people do in two accounts and whatever connections
// break.

type Person = { browser: Browser; person: { email: string; password: string }; user: { id: number } }
type Step = { does: keyof typeof actions; who: number; whom: number; where: number; role: Role; breaks: number | null }

const slugs = ['first', 'second']

const actions = {
  rename: ({ browser }: Person, { where }: Step, nth: number) =>
    browser.submit('PATCH', `/${slugs[where]}/settings`, { name: `Name ${nth % 3}` }),
  async changeRole({ browser }: Person, step: Step, _nth: number, { app, people }: World) {
    const id = await membershipOf(app.db, people, step)
    return browser.submit('PATCH', `/${slugs[step.where]}/members/${id}`, { role: step.role })
  },
  async remove({ browser }: Person, step: Step, _nth: number, { app, people }: World) {
    const id = await membershipOf(app.db, people, step)
    return browser.submit('DELETE', `/${slugs[step.where]}/members/${id}`)
  },
  invite({ browser }: Person, { where, whom, role }: Step, _nth: number, { people }: World) {
    return browser.submit('POST', `/${slugs[where]}/invitations`, { email: people[whom]?.person.email, role })
  },
  async revoke({ browser }: Person, { where }: Step, _nth: number, { app }: World) {
    const [invitation] = await app.db.select().from(invitations).where(isNull(invitations.acceptedAt))
    return browser.submit('DELETE', `/${slugs[where]}/invitations/${invitation?.id ?? 0}`)
  },
  async accept({ browser, person }: Person, _step: Step, _nth: number, { app }: World) {
    const pending = await app.db.select().from(invitations).where(isNull(invitations.acceptedAt))
    const own = pending.find(({ email }) => email === person.email)
    return browser.submit('POST', `/invitations/${own ? await tokenOf(app, own.id) : 'none'}/accept`)
  },
  signIn: async ({ person }: Person, _step: Step, _nth: number, { app }: World) => (await signedIn(app, person)).page,
  async endSession({ browser, user }: Person, _step: Step, _nth: number, { app }: World) {
    const rows = await app.db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, user.id))
      .orderBy(asc(sessions.createdAt))
    const last = rows.length > 1 ? rows.at(-1)?.token : undefined
    return browser.submit('DELETE', `/sessions/${last ?? 'none'}`)
  },
}
type World = { app: FastifyInstance; people: Person[] }

async function membershipOf(db: Database, people: Person[], { whom, where }: Step) {
  const [row] = await db
    .select({ id: memberships.id, userId: memberships.userId })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(eq(accounts.slug, slugs[where] ?? ''))
    .then((rows) => rows.filter(({ userId }) => userId === people[whom]?.user.id))
  return row?.id ?? 0
}

const index = (most: number) => fc.integer({ min: 0, max: most })
const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(...(Object.keys(actions) as Step['does'][]), 'changeRole', 'changeRole', 'rename'),
  who: index(2),
  whom: index(2),
  where: index(1),
  role: fc.constantFrom('owner', 'admin', 'member'),
  breaks: fc.option(fc.integer({ min: 1, max: 25 }), { freq: 2 }),
})

t.test('the records match the state, even if connections break', async (t) => {
  const url = await createDatabase(t)
  const proxy = await startProxy(t, url)
  const { app } = await startApp(t, { DATABASE_URL: proxy.url })
  const direct = connect(addressOf(url), 1)
  t.teardown(() => direct.close())
  const world = { app, people: [await signedUp(app), await signedUp(app), await signedUp(app)] }
  await direct.update(users).set({ verified: true }) // unverified users can send only a few invitations
  for (const [where, slug] of slugs.entries()) {
    const owner = world.people[where]
    await owner?.browser.submit('POST', '/accounts', { name: slug })
    for (const member of world.people) {
      if (member === owner) continue
      await owner?.browser.submit('POST', `/${slug}/invitations`, { email: member.person.email, role: 'admin' })
      const pending = await direct.select().from(invitations).where(isNull(invitations.acceptedAt))
      await member.browser.submit('POST', `/invitations/${await tokenOf(app, pending[0]?.id ?? 0)}/accept`)
    }
  }

  let nth = 0
  const connections = proxy.accepted
  const run = async (steps: Step[]) => {
    await direct.delete(rateLimits)
    for (const step of steps) {
      const before = (await recorded(direct)).length
      const person = world.people[step.who]
      if (!person) throw new Error('there are three people')
      person.browser.cookies.delete('flash') // from a page that failed before it could show it
      const messages = step.breaks ?? Number.POSITIVE_INFINITY
      proxy.breakAfter(messages, nth % 2 ? 'end' : 'resetAndDestroy')
      const done = await actions[step.does](person, step, ++nth, world).then(outcome, () => 'unheard')
      await settled(direct, proxy.ports)
      const news = (await recorded(direct)).length - before
      if (done === 'refused' && news > 0) throw new Error(`${step.does} was refused and recorded`)
      if (done === 'done' && news === 0 && !['rename', 'changeRole'].includes(step.does)) {
        throw new Error(`${step.does} was done and not recorded`)
      }
    }
    t.same(await replayed(direct), await actual(direct))
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 25 }), run), {
    numRuns: 4,
    endOnFailure: true,
  })
  t.ok(proxy.accepted - connections > 20, 'which many did')
})

/** Aborted work may continue unnoticed, so wait until its connection is idle or gone. */
async function settled(db: Database, ports: () => number[]) {
  const busy = () => sql`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and (state <> 'idle' or client_port <> all(${`{${ports()}}`}::int[]))`
  while ((await db.execute(busy())).rows.length > 0) await sleep(2)
}

function outcome({ flash, props }: Page) {
  if (flash?.notice) return 'done'
  return flash?.alert || Object.keys(props?.errors ?? {}).length > 0 ? 'refused' : 'unknown'
}

type Account = { name: unknown; roles: Record<string, unknown>; invited: number[] }
type State = { accounts: Record<string, Account>; sessions: Record<string, number> }

/** The state according to all records. */
async function replayed(db: Database): Promise<State> {
  const state: State = { accounts: {}, sessions: {} }
  for (const { type, accountId, userId, details } of await recorded(db)) {
    const who = String(userId)
    const account = state.accounts[String(accountId)]
    const { invitation_id } = details as { invitation_id: number }
    if (type === 'account_created') {
      state.accounts[String(accountId)] = { name: details.account_name, roles: { [who]: 'owner' }, invited: [] }
    }
    if (account && type === 'account_renamed') account.name = details.to
    if (account && type === 'role_changed') account.roles[who] = details.to
    if (account && type === 'member_joined') account.roles[who] = details.role
    if (account && (type === 'member_left' || type === 'member_removed')) delete account.roles[who]
    if (account && type === 'member_invited') account.invited.push(invitation_id)
    if (account && type === 'invitation_revoked') account.invited = account.invited.filter((id) => id !== invitation_id)
    const sessions = state.sessions[who] ?? 0
    if (type === 'signed_up' || type === 'signed_in') state.sessions[who] = sessions + 1
    if (type === 'signed_out' || type === 'session_ended') state.sessions[who] = sessions - 1
  }
  // Accepting an invitation as an existing member records nothing, so ask the database which ones were accepted.
  const accepted = (await db.select().from(invitations)).filter(({ acceptedAt }) => acceptedAt).map(({ id }) => id)
  for (const account of Object.values(state.accounts)) {
    account.invited = account.invited.filter((id) => !accepted.includes(id)).sort((a, b) => a - b)
  }
  return state
}

async function actual(db: Database): Promise<State> {
  const state: State = { accounts: {}, sessions: {} }
  for (const { id, name } of await db.select().from(accounts)) state.accounts[id] = { name, roles: {}, invited: [] }
  for (const { accountId, userId, role } of await db.select().from(memberships)) {
    const account = state.accounts[accountId]
    if (account) account.roles[userId] = role
  }
  for (const { id, accountId } of await db
    .select()
    .from(invitations)
    .where(isNull(invitations.acceptedAt))
    .orderBy(asc(invitations.id))) {
    state.accounts[accountId]?.invited.push(id)
  }
  for (const { userId } of await db.select().from(sessions)) state.sessions[userId] = (state.sessions[userId] ?? 0) + 1
  return state
}
