import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { connect, type Database } from '../../../plugins/database/index.ts'
import { addressOf } from '../../helpers/address.ts'
import { noCertificates } from '../../helpers/authority.ts'
import { createDatabase } from '../../helpers/database.ts'
import { startOwnPostgres } from '../../helpers/postgres.ts'
import { startProxy } from '../../helpers/proxy.ts'

// Whatever runs concurrently and whatever breaks: acknowledged writes persist, aborted ones do not, responses match
// their queries, and everything ends. `npm run soak` runs longer, with a new seed.

const soakSeconds = Number(process.env.SOAK_SECONDS ?? 0)

/** A transaction with nested ones. `gaveUp` rolls it back, `atLast` writes once more right before the COMMIT, without waiting. */
type Work = { writes: number; atOnce: boolean; pause: number; gaveUp: boolean; atLast: boolean; inside: Work[] }
type Act =
  | { kind: 'write' | 'read' | 'long' }
  | { kind: 'transaction'; work: Work }
  | { kind: 'pile'; count: number }
  | { kind: 'break'; how: 'end' | 'resetAndDestroy' | 'dismiss' | 'silence' | 'refuse' }
type Scene = { pool: number; acts: (Act & { after: number })[] }

const workAround = (inside: fc.Arbitrary<Work[]>): fc.Arbitrary<Work> =>
  fc.record({
    writes: fc.nat(3),
    atOnce: fc.boolean(),
    pause: fc.nat(3),
    gaveUp: fc.nat(3).map((n) => n === 0),
    atLast: fc.boolean(),
    inside,
  })
const inner = workAround(fc.constant([]))
const work = workAround(fc.array(workAround(fc.array(inner, { maxLength: 1 })), { maxLength: 2 }))

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('write', 'read', 'long') }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('transaction'), work }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pile'), count: fc.integer({ min: 50, max: 400 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('break'),
      how: fc.constantFrom('end', 'resetAndDestroy', 'dismiss', 'silence', 'refuse'),
    }),
  },
)
const scene: fc.Arbitrary<Scene> = fc.record({
  pool: fc.integer({ min: 1, max: 6 }),
  acts: fc.array(
    fc.tuple(act, fc.nat(4)).map(([act, after]) => ({ ...act, after })),
    { minLength: 20, maxLength: 80 },
  ),
})

// Short, so silence ends soon. No statement or lock takes that long here.
const deadlines = { connect: 0.5, wait: 2, answer: 0.5 }
const hangTimeoutMs = 30_000 // until something counts as hanging

/** Rows that must exist in the end, rows that must not, and groups of rows that must exist together or not at all. */
class Ledger {
  readonly there: number[] = []
  readonly absent: number[] = []
  readonly together: number[][] = []
  #last = 0
  next = () => ++this.#last
}

class GaveUp extends Error {}

async function perform({ pool, acts }: Scene, t: Test, url: string, options: string) {
  const proxy = await startProxy(t, url)
  const [db, direct] = [connect(addressOf(proxy.url + options), pool, undefined, deadlines), connect(addressOf(url), 2)]
  const ledger = new Ledger()
  await direct.$client`truncate rows`
  const acting: Promise<unknown>[] = []
  for (const { after, ...act } of acts) {
    if (act.kind === 'break') await happen(act.how, proxy, direct)
    else acting.push(...start(act, db, ledger))
    if (after > 0) await sleep(after)
  }
  proxy.restore()
  const hangs = sleep(hangTimeoutMs, 'something hangs', { ref: false })
  const ended = await Promise.race([Promise.all(acting).then(() => 'all ended'), hangs])
  const healed = await Promise.race([Promise.all(Array.from({ length: pool * 3 }, () => heal(db))), hangs])
  const rows = new Set((await direct.$client<{ n: number }[]>`select n from rows`).map(({ n }) => n))
  await Promise.all([db, direct].map(({ $client }) => $client.end({ timeout: 1 })))
  proxy.close()

  return {
    ended,
    healed: Array.isArray(healed),
    lost: ledger.there.filter((n) => !rows.has(n)),
    unwanted: ledger.absent.filter((n) => rows.has(n)),
    torn: ledger.together.filter((group) => group.some((n) => rows.has(n)) && !group.every((n) => rows.has(n))),
  }
}

const allIsWell = { ended: 'all ended', healed: true, lost: [], unwanted: [], torn: [] }

/** A connection may have just been broken, which shows only on its next use. */
async function heal(db: Database) {
  for (;;) {
    const answers = db.clients.map((client) =>
      client.unsafe('select 1 as n').then(
        (rows) => rows,
        () => [],
      ),
    )
    if ((await Promise.all(answers)).every(([row]) => row)) return
  }
}

async function happen(how: (Act & { kind: 'break' })['how'], proxy: Proxy, direct: Database) {
  proxy.restore()
  if (how === 'silence') proxy.silence('toClient')
  else if (how === 'refuse') proxy.refusing = 'resetAndDestroy'
  else if (how !== 'dismiss') proxy.breakAll(how)
  else
    await direct.$client`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query not like '%pg_terminate%'
      order by random() limit 1`
}
type Proxy = Awaited<ReturnType<typeof startProxy>>

/** Starts queries at once, which Drizzle would start when awaited. */
function start(act: Exclude<Act, { kind: 'break' }>, db: Database, ledger: Ledger): Promise<unknown>[] {
  const [writes, lookups] = [db.$client, db.clients.at(-1) ?? db.$client]
  if (act.kind === 'transaction') return [transact(db, act.work, ledger)]
  if (act.kind === 'write') {
    const n = ledger.next()
    return [writes.unsafe('insert into rows values ($1)', [n]).then(() => ledger.there.push(n), noop)]
  }
  const ask = async (long: string) => {
    const n = ledger.next()
    const answer = await lookups.unsafe('select $1::int as n, $2::text', [n, long]).then((rows) => rows, noop)
    if (answer && answer[0]?.n !== n) throw new Error(`asked for ${n} and was given ${answer[0]?.n}`)
  }
  return Array.from({ length: act.kind === 'pile' ? act.count : 1 }, () => ask(act.kind === 'long' ? long : ''))
}

const long = 'long'.repeat(10_000)
const noop = () => undefined

async function transact(db: Database, work: Work, ledger: Ledger) {
  const issued: number[] = []
  let kept: number[] | undefined
  const issue = () => {
    const n = ledger.next()
    issued.push(n)
    return n
  }
  const settled = await db.$client
    .begin(async (tx) => {
      const rows = await write(tx, work, issue)
      if (work.atLast) {
        const n = issue()
        rows.push(n)
        tx.unsafe('insert into rows values ($1)', [n]).execute()
      }
      kept = rows
    })
    .then(
      () => ledger.there,
      () => undefined,
    )
  const whole = kept ?? []
  ledger.absent.push(...issued.filter((n) => !whole.includes(n)))
  if (settled) settled.push(...whole)
  else ledger.together.push(whole) // the outcome of an unacknowledged commit is unknown
}

type Transaction = Parameters<Parameters<Database['$client']['begin']>[1]>[0]

/** The rows that persist if the surrounding transaction commits. */
async function write(tx: Transaction, work: Work, issue: () => number): Promise<number[]> {
  const insert = async () => {
    const n = issue()
    await tx.unsafe('insert into rows values ($1)', [n])
    return n
  }
  const kept: number[] = []
  if (work.atOnce) kept.push(...(await Promise.all(Array.from({ length: work.writes }, insert))))
  else for (let count = 0; count < work.writes; count++) kept.push(await insert())
  if (work.pause > 1) await sleep(work.pause)
  for (const inside of work.inside) kept.push(...(await nest(tx, inside, issue)))
  if (work.gaveUp) throw new GaveUp()
  return kept
}

const nest = (tx: Transaction, work: Work, issue: () => number) =>
  tx
    .savepoint((inner) => write(inner, work, issue))
    .catch((error) => {
      if (error instanceof GaveUp) return []
      throw error
    })

async function holds(t: Test, url: string, options: string) {
  const direct = connect(addressOf(url), 1)
  await direct.$client`create table rows (n int primary key)`
  await direct.$client.end()
  let acts = 0
  const property = fc.asyncProperty(scene, async (scene) => {
    acts += scene.acts.length
    const outcome = await perform(scene, t, url, options)
    if (!t.strictSame(outcome, allIsWell)) throw new Error('something was lost, or is there unasked')
  })
  const until = Date.now() + (soakSeconds * 1000) / 2
  // Rounds, because a time limit of fast-check leaves the last scene behind, and then the process never ends.
  for (let seed = soakSeconds ? Date.now() : 1, isOver = false; !isOver; seed++) {
    const { failed, counterexamplePath } = await fc.check(property, { numRuns: 15, seed, endOnFailure: true })
    t.notOk(failed, `seed ${seed}, path ${counterexamplePath}`)
    isOver = failed || Date.now() >= until
  }
  t.comment(`${acts} acts`)
}

t.test('acknowledged writes persist, and nothing else', async (t) => holds(t, await createDatabase(t), ''))

t.test('acknowledged writes persist over TLS', { skip: noCertificates }, async (t) => {
  const { url } = await startOwnPostgres(t, { tls: true })
  await holds(t, url, '?sslmode=require')
})
