import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Sql } from 'postgres'
import t, { type Test } from 'tap'
import { migrate } from '../../drizzle/migrate.ts'
import { addressOf } from '../helpers/address.ts'
import { emptyDatabase, migrateUntil, migrationsOf030 } from '../helpers/versions.ts'

const people = 40_000
const connections = 4

for (const [version, end] of [
  ['0.3.0', migrationsOf030],
  ['the migration before', -1],
] as const) {
  t.test(`under the traffic of ${version}, migrations lose no write, and no query waits for a second`, async (t) => {
    const { url, sql } = await emptyDatabase(t)
    await migrateUntil(t, addressOf(url), end)
    await insertPeople(sql)
    const before = await countRows(sql)
    const traffic = await startTraffic(t, url)
    await migrate(addressOf(url), t.comment)
    const written = await traffic.stop()
    const after = await countRows(sql)
    for (const [table, count] of Object.entries(written)) t.equal(after[table], (before[table] ?? 0) + count, table)
    t.ok(Math.min(...Object.values(written)) > 0, 'while people wrote')
  })
}

/** Each with a workspace and two sessions, one of them not by a password alone. */
const insertPeople = (sql: Sql) =>
  sql.unsafe(`
    insert into users (name, email) select 'Ana ' || n, n || '@example.com' from generate_series(1, ${people}) n;
    insert into accounts (name, slug, personal) select name, 'ana-' || id, true from users;
    insert into memberships (account_id, user_id, role) select id, id, 'owner' from users;
    insert into sessions (token, user_id, user_agent, ip_address, second_factor)
      select concat('password', second, id), id, '', '', second from users, unnest(array[null, 'code']) second;
    insert into activities (type, user_id, details) select 'signed_in', id, '{}' from users`)

type Counts = Record<string, number>

async function countRows(sql: Sql) {
  const counts: Counts = {}
  for (const table of ['users', 'accounts', 'memberships', 'sessions', 'activities'])
    counts[table] = Number((await sql.unsafe(`select count(*) from ${table}`))[0]?.count)
  return counts
}

/** What the version before does all the time, on several connections. A failed query fails the test. */
async function startTraffic(t: Test, url: string) {
  const pool = new pg.Pool({ connectionString: url, max: connections, options: '-c lock_timeout=1s' })
  t.teardown(() => pool.end())
  const written: Counts = { users: 0, accounts: 0, memberships: 0, sessions: 0, activities: 0 }
  let isOver = false
  let rounds = 0

  async function go() {
    while (!isOver) {
      const client = await pool.connect()
      for (const work of [read, signUp, signIn, rename]) await work(client)
      client.release()
      rounds++
    }
  }
  const going = Promise.all(Array.from({ length: connections }, go))
  going.catch(() => {
    isOver = true
  })

  async function commit(client: pg.PoolClient, rows: Counts, work: () => Promise<unknown>) {
    await client.query('begin')
    await work()
    await client.query('commit')
    for (const [table, count] of Object.entries(rows)) written[table] = (written[table] ?? 0) + count
  }

  async function read(client: pg.PoolClient) {
    const token = `password${anyone()}`
    await client.query({ name: 'find_session', text: findSession, values: [token] })
    await client.query({ name: 'list', text: listMembers, values: [anyone()] })
    await client.query('update sessions set last_seen_at = now() where token = $1', [token])
  }

  const signUp = (client: pg.PoolClient) =>
    commit(client, { users: 1, accounts: 1, memberships: 1, activities: 1 }, async () => {
      const name = crypto.randomUUID()
      const { rows } = await client.query('insert into users (name, email) values ($1, $1) returning id', [name])
      const values = [rows[0].id, name]
      await client.query(
        `with account as (insert into accounts (name, slug, personal) values ($2, $2, true) returning id)
        insert into memberships (account_id, user_id, role) select id, $1, 'owner' from account`,
        values,
      )
      await record(client, 'signed_up', rows[0].id)
    })

  const signIn = (client: pg.PoolClient, id = anyone()) =>
    commit(client, { sessions: 1, activities: 1 }, async () => {
      await client.query('select from users where id = $1 for no key update', [id])
      const values = [crypto.randomUUID(), id, 'provider', 'google', 'code']
      await client.query(
        `insert into sessions (token, user_id, user_agent, ip_address, first_factor, provider, second_factor)
        values ($1, $2, '', '', $3, $4, $5)`,
        values,
      )
      await record(client, 'signed_in', id)
    })

  const rename = (client: pg.PoolClient, id = anyone()) =>
    commit(client, { activities: 1 }, async () => {
      await client.query(`update accounts set name = name || '.' where id = $1`, [id])
      await record(client, 'account_renamed', id)
      await client.query(`update users set name = name || '.' where id = $1`, [id])
    })

  while (rounds < connections && !isOver) await sleep(5)
  return {
    async stop() {
      const enough = rounds + connections
      while (rounds < enough && !isOver) await sleep(5)
      isOver = true
      await going
      return written
    },
  }
}

const anyone = () => 1 + Math.floor(Math.random() * people)

const findSession = `
  select sessions.token, users.id, users.name from sessions join users on users.id = user_id where token = $1`
const listMembers = `
  select users.name, accounts.name from memberships join users on users.id = user_id
  join accounts on accounts.id = account_id where account_id = $1`
const record = (client: pg.PoolClient, type: string, userId: number) =>
  client.query(`insert into activities (type, user_id, details) values ($1, $2, '{}')`, [type, userId])
