import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { digestOf } from '../../plugins/security/digests.ts'
import { median } from '../lib/load.ts'
import type { Row } from '../lib/table.ts'
import { Browser, newAddress } from './attacker.ts'

const pairs = 300
const nextPairs = Number(process.env.ABUSE_PAIRS ?? 2000)
const pause = 30 // milliseconds, or delivering one mail would slow down the next request

/**
 * Tests whether responses take longer for known addresses: pairs of a known and an unknown one in random order,
 * compared with Wilcoxon's signed-rank test. Without a difference, |z| exceeds 3 once in 370 runs.
 */
export async function compareTimes(url: string, databaseUrl: string): Promise<Row[]> {
  await createKnown(databaseUrl)
  const browser = await Browser.open(url)
  const time = async (path: string, body: object) => {
    await sleep(pause)
    const startedAt = performance.now()
    await browser.send('POST', path, { body, from: newAddress() })
    return performance.now() - startedAt
  }

  const compare = async (what: string, path: string, others: object): Promise<Row> => {
    const differences: number[] = []
    for (let pair = 1; pair <= pairs; pair++) {
      const known = { ...others, email: `known-${pair}@example.com` }
      const unknown = { ...others, email: `other-${pair}@example.com` }
      if (Math.random() < 0.5) differences.push(-(await time(path, unknown)) + (await time(path, known)))
      else differences.push((await time(path, known)) - (await time(path, unknown)))
    }
    const z = signedRanks(differences)
    const middle = differences.toSorted((a, b) => a - b)[pairs >> 1] ?? Number.NaN
    return {
      what: `${what} of a known address against an unknown one, ${pairs} pairs`,
      target: '|z| ≤ 3',
      aim: '',
      result: `z ${z.toFixed(2)}, ${middle.toFixed(2)} ms in the middle`,
      met: Math.abs(z) <= 3,
    }
  }
  return [
    await compare('wrong password', '/sign_in', { password: 'a wrong password' }),
    await compare('request of a reset', '/identity/password_reset', {}),
  ]
}

/**
 * Tests whether the work that follows the response to a wrong password delays the next request, a page without a query,
 * longer after a known address. Each guess comes from another client, so each one of a known address is recorded.
 */
export async function compareNext(url: string, databaseUrl: string): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  await createKnown(databaseUrl)
  const browser = await Browser.open(url)
  const after = async (email: string) => {
    await sleep(pause)
    await browser.send('POST', '/sign_in', { body: { email, password: 'a wrong password' }, from: newAddress() })
    const startedAt = performance.now()
    await browser.send('GET', '/sign_in')
    return performance.now() - startedAt
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let pair = 0; pair < nextPairs; pair++) {
    const number = (pair % pairs) + 1
    const both = [
      async () => known.push(await after(`known-${number}@example.com`)),
      async () => unknown.push(await after(`other-${number}@example.com`)),
    ]
    for (const visit of Math.random() < 0.5 ? both : both.toReversed()) await visit()
    if (pair % 50 === 49) await sql`delete from rate_limits`
  }
  const area = areaUnderCurve(known, unknown)
  await sql.end()
  return [
    {
      what: `the page after a wrong password tells known addresses from unknown ones, ${nextPairs} pairs`,
      target: 'AUC ≤ 0.55',
      aim: '',
      before: '0.70',
      result: `${area.toFixed(3)}, ${median(known).toFixed(2)} and ${median(unknown).toFixed(2)} ms in the middle`,
      met: Math.abs(area - 0.5) <= 0.05,
    },
  ]
}

async function createKnown(databaseUrl: string) {
  const sql = postgres(databaseUrl, { max: 1 })
  const digest = await digestOf('a password that nobody guesses')
  await sql`
    insert into users (name, email, verified, password_digest)
    select 'Known', 'known-' || n || '@example.com', true, ${digest} from generate_series(1, ${pairs}) n
    on conflict do nothing`
  await sql.end()
}

/** How often a time after a known address exceeds one after an unknown address. */
function areaUnderCurve(known: number[], unknown: number[]) {
  const all = [...known.map((time) => ({ time, won: 1 })), ...unknown.map((time) => ({ time, won: 0 }))]
  all.sort((a, b) => a.time - b.time)
  const ranks = all.reduce((sum, { won }, rank) => sum + won * (rank + 1), 0)
  return (ranks - (known.length * (known.length + 1)) / 2) / (known.length * unknown.length)
}

/** Wilcoxon's statistic as a standard score. */
function signedRanks(differences: number[]) {
  const ranked = differences.filter((difference) => difference !== 0).sort((a, b) => Math.abs(a) - Math.abs(b))
  const n = ranked.length
  const positive = ranked.reduce((sum, difference, rank) => sum + (difference > 0 ? rank + 1 : 0), 0)
  return (positive - (n * (n + 1)) / 4) / Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24)
}
