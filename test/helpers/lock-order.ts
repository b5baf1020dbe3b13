import { getTableName } from 'drizzle-orm'
import pg from 'pg'
import { accounts, presences, sessions, users } from '../../drizzle/schema.ts'

type Config = string | { text: string }

/**
 * In which order a transaction locks rows: accounts by id and, under their locks, what belongs to them, then users by
 * id, their sessions, and their presence. Two that lock in another order can wait for each other.
 */
const order: string[] = [accounts, users, sessions, presences].map(getTableName)
/** By connection, what its transaction has locked rows of so far. */
const transactions = new WeakMap<pg.Client, { locked: Set<string>; inserted: Set<string> }>()

const mayLock = /\b(?:insert|update|delete|for)\b/i

// Postgres itself says which tables a transaction has locked rows of, those of foreign keys and cascades included.
const held = `
  select relation::regclass::text as name from pg_locks
  where pid = pg_backend_pid() and mode in ('RowShareLock', 'RowExclusiveLock')
    and relation in (${order.map((name) => `to_regclass('public.${name}')`)})`

let isHeld = true

/** For a test of real deadlocks, whose time would mostly go into asking for locks. */
export function releaseFromLockOrder() {
  isHeld = false
  return () => {
    isHeld = true
  }
}

/** Makes a statement fail that locks rows of a table after those of a later one. */
export function holdToLockOrder() {
  const { query } = pg.Client.prototype as unknown as { query: (...sent: unknown[]) => Promise<unknown> }

  async function check(client: pg.Client, text: string) {
    const transaction = transactions.get(client)
    if (!transaction || !mayLock.test(text)) return
    const { locked, inserted } = transaction
    // Nobody else can have what a transaction inserts itself.
    for (const [, name = ''] of text.matchAll(/\binsert into "?(\w+)/g)) inserted.add(name)
    const { rows } = (await Reflect.apply(query, client, [held])) as pg.QueryResult<{ name: string }>
    const last = Math.max(-1, ...Array.from(locked, (name) => order.indexOf(name)))
    for (const { name } of rows) {
      if (locked.has(name) || inserted.has(name)) continue
      if (order.indexOf(name) < last)
        throw new Error(`rows of ${name} are locked after those of ${order[last]}, which can deadlock: ${text}`)
    }
    for (const { name } of rows) if (!inserted.has(name)) locked.add(name)
  }

  async function checked(this: pg.Client, ...sent: unknown[]) {
    const result = await Reflect.apply(query, this, sent)
    await check(this, textOf(sent[0] as Config))
    return result
  }

  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...sent: unknown[]) {
      const text = textOf(sent[0] as Config)
      if (text === 'begin') transactions.set(this, { locked: new Set(), inserted: new Set() })
      if (text === 'commit' || text === 'rollback') transactions.delete(this)
      // Others, such as those of the pool, take a callback, and are no transactions.
      return Reflect.apply(isHeld && transactions.has(this) && text !== 'begin' ? checked : query, this, sent)
    },
  })
}

const textOf = (config: Config) => (typeof config === 'string' ? config : config.text)
