import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, invitations, users } from '../../drizzle/schema.ts'
import { addRecordHandler, type RecordedActivity } from '../../features/activity/index.ts'
import { suspend } from '../../features/auth/suspension.ts'
import { resetPassword } from '../../features/identity/links.ts'
import { invitee } from '../helpers/api.ts'
import { startApp } from '../helpers/app.ts'
import { untilWaiting, whileLocked } from '../helpers/database.ts'
import { challenge, userRow } from '../helpers/people.ts'
import { acmeWithTokens } from '../helpers/workspace-tokens.ts'

const { app, db, url: database } = await startApp(t)
const { app: elsewhere } = await startApp(t, { DATABASE_URL: database })
type Made = Awaited<ReturnType<typeof startMade>>

async function startMade() {
  const acme = await acmeWithTokens(app)
  const maker = await acme.joinVerified('admin')
  const token = await acme.create(maker)
  const revoke = () => acme.owner.browser.submit('DELETE', `${acme.url}/${token.id}`)
  const remove = () => acme.owner.browser.submit('DELETE', `${acme.path}/members/${maker.membershipId}`)
  const suspended = () => db.transaction((tx) => suspend(app, tx, maker.user.id, null))
  return { ...acme, maker, token, revoke, remove, suspended }
}

const changes: [string, (made: Made) => Promise<unknown>, { read: number; invite: number }][] = [
  ['revoked', ({ revoke }) => revoke(), { read: 401, invite: 401 }],
  ['blocked, since its maker is suspended', ({ suspended }) => suspended(), { read: 403, invite: 403 }],
  ['orphaned', ({ remove }) => remove(), { read: 200, invite: 403 }],
]

for (const [what, change, { read, invite }] of changes) {
  t.test(`once it is ${what}, the next request in another process knows it`, async (t) => {
    const made = await startMade()
    const headers = { authorization: `Bearer ${made.token.secret}` }
    const url = `/api/v1${made.api}`
    t.equal((await elsewhere.inject({ url, headers })).statusCode, 200)
    await change(made)
    t.equal((await elsewhere.inject({ url, headers })).statusCode, read)
    const payload = invitee()
    const sent = await elsewhere.inject({ method: 'POST', url: `${url}/invitations`, headers, payload })
    t.equal(sent.statusCode, invite)
  })

  t.test(`a write in the middle of which it is ${what} writes nothing`, async (t) => {
    const made = await startMade()
    const { account, token, api } = made
    const here = eq(accounts.id, account.id)
    // The change comes first in the queue for the workspace, the invitation waits behind it.
    let sending: ReturnType<typeof token.send> | undefined
    const lock = sql`select from accounts where ${here} for update`
    await whileLocked(
      db,
      lock,
      () => change(made),
      async () => {
        sending = token.send('POST', `${api}/invitations`, invitee())
        await untilWaiting(db, sending, 2)
      },
    )
    t.equal((await sending)?.statusCode, invite)
    t.equal(await db.$count(invitations, eq(invitations.accountId, account.id)), 0)
  })
}

t.test('after the answer of a revocation nothing is written, whatever the write had read', async (t) => {
  const { token, api, account } = await startMade()
  // The write has its workspace already and waits for its token, last of all.
  const lock = sql`select from workspace_tokens where id = ${token.id} for update`
  const rename = () => token.send('PATCH', api, { name: 'Apex' })
  const response = await whileLocked(db, lock, rename, (tx) =>
    tx.execute(sql`delete from workspace_tokens where id = ${token.id}`),
  )
  t.equal(response.statusCode, 401)
  t.equal((await db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.name, 'Acme')
})

t.test('a write that has its token lets the revocation wait, and what it sent goes with it', async (t) => {
  const { token, api, account, owner, url } = await startMade()
  const lock = sql`select from accounts where id = ${account.id} for update`
  let revoking: ReturnType<typeof owner.browser.request> | undefined
  const sent = await whileLocked(
    db,
    lock,
    () => token.send('POST', `${api}/invitations`, invitee()),
    async () => {
      revoking = owner.browser.request('DELETE', `${url}/${token.id}`)
      await untilWaiting(db, revoking, 2)
    },
  )
  t.equal(sent.statusCode, 201)
  t.equal((await revoking)?.statusCode, 303)
  t.equal(await db.$count(invitations, eq(invitations.accountId, account.id)), 0)
})

t.test('who reads on by ids misses nothing that a password reset records, however long it takes', async (t) => {
  const { maker, account, owner, api, create, path } = await startMade()
  const reader = await create(owner)
  const read = async (since: number) => (await reader.send('GET', `${api}/activity?since=${since}`)).json().data
  const { id: seen } = (await read(0)).at(-1)

  const [recorded, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  addRecordHandler(db.pool, ['workspace_token_revoked'], (_tx, { accountId }: RecordedActivity) => {
    if (accountId !== account.id) return Promise.resolve()
    recorded.resolve()
    return held.promise
  })
  await db.update(users).set({ provedEmail: null }).where(eq(users.id, maker.user.id))
  const reset = resetPassword(app, await userRow(db, maker.user.id), 'a fresh new password')
  await recorded.promise
  const renamed = owner.browser.submit('PATCH', `${path}/settings`, { name: 'Apex' })
  await untilWaiting(db, renamed)
  t.same(await read(seen), [], 'what was recorded later waits')
  held.resolve()
  await Promise.all([reset, renamed])
  t.match(await read(seen), [{ type: 'workspace_token_revoked' }, { type: 'account_renamed' }])
})

t.test('who is demoted while they make a token makes none', async (t) => {
  const { maker, account, url, list } = await startMade()
  const before = (await list()).length
  const lock = sql`select from accounts where id = ${account.id} for update`
  const body = { name: 'CI', role: 'admin', scope: 'write', ...challenge }
  const response = await whileLocked(
    db,
    lock,
    () => maker.browser.request('POST', url, { body }),
    (tx) => tx.execute(sql`update memberships set role = 'member' where id = ${maker.membershipId}`),
  )
  t.ok(response.statusCode < 400)
  t.equal((await list()).length, before)
})
