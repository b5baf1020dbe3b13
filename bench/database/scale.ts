import { sql } from 'drizzle-orm'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import postgres from 'postgres'
import { sessions } from '../../drizzle/schema.ts'
import { paths } from '../../features/paths.ts'
import { connect, readAddress } from '../../plugins/database/index.ts'
import sweeper from '../../plugins/sweeper/index.ts'
import { compare, median } from '../lib/load.ts'
import { startApplication } from '../lib/processes.ts'
import { limitRow, type Row } from '../lib/table.ts'
import { fromManyAddresses, headerOf, type Person, signUp, visit } from '../lib/visitor.ts'
import { fill, giveCompany } from './scale-fill.ts'

// `npm run bench -- --scale`, with SCALE_USERS for a smaller number.

const many = Number(process.env.SCALE_USERS ?? 1_000_000)
const few = 1_000

/** What pages and the sweeper cost with a million users in the database, compared with a thousand. */
export async function benchScale(databaseUrl: string): Promise<Row[]> {
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const names = ['large', 'small'].map((size) => `${new URL(databaseUrl).pathname.slice(1)}_${size}`)
  const drop = async () => {
    for (const name of names) await admin`drop database if exists ${admin(name)} with (force)`
  }
  try {
    await drop()
    for (const name of names) await admin`create database ${admin(name)}`
    const [large = '', small = ''] = names.map((name) => new URL(`/${name}`, databaseUrl).href)
    await fill(large, many)
    await fill(small, few)
    return await scaleRows(large, small)
  } finally {
    await drop()
    await admin.end()
  }
}

export async function scaleRows(large: string, small: string): Promise<Row[]> {
  const [ours, theirs] = await Promise.all([startApplication(large), startApplication(small)])
  const limit = { unit: '×', target: 1.3, digits: 2 }
  const row = (what: string, cost: number) => limitRow(`${what} with ${many} users, of with ${few}`, cost, limit)
  const rows: Row[] = []
  try {
    const [there, here] = await Promise.all([signUp(ours.url), signUp(theirs.url)])
    await Promise.all([giveCompany(large, there.slug), giveCompany(small, here.slug)])
    for (const [what, pathOf] of pages) {
      const load = ({ url }: { url: string }, { slug, cookie }: Person) => {
        return { url: url + pathOf(slug), headers: { cookie, accept: 'text/html' }, status: 200 }
      }
      rows.push(row(what, 1 / (await compare(load(ours, there), load(theirs, here))).ratio))
    }
    const { ratio } = await compare(await signIn(ours.url, there), await signIn(theirs.url, here))
    rows.push(row('POST /sign_in', 1 / ratio))
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
  }
  return [...rows, row('a page of the sweeper', await sweepRatio(large, small))]
}

const pages = [
  ['GET /{slug}', (slug: string) => paths.account(slug).url],
  ['GET /{slug}/members', (slug: string) => paths.members(slug).url],
  ['GET /{slug}/activity', (slug: string) => paths.accountActivity(slug).url],
] as const

async function signIn(url: string, { email, password }: Person) {
  const { cookies, csrf } = await visit(url)
  const body = JSON.stringify({ email, password })
  const headers = { ...csrf, cookie: headerOf(cookies), 'content-type': 'application/json' }
  const requests = [fromManyAddresses(() => body)]
  return { url: `${url}/sign_in`, method: 'POST', status: 302, connections: 8, headers, requests } as const
}

/** Alternating. The sweeper walks through all sessions, so what counts is what each page of them takes. */
async function sweepRatio(large: string, small: string) {
  const ratios: number[] = []
  for (let round = 0; round < 5; round++) ratios.push((await timeOfPage(large)) / (await timeOfPage(small)))
  return median(ratios)
}

const maxPages = 300 // the small database has 30

async function timeOfPage(url: string) {
  const db = connect(readAddress(url, { variable: 'DATABASE_URL' }), 1)
  const app = Fastify()
  const enough = new AbortController()
  let count = 0
  await app.register(fp(async (app) => void app.decorate('db', db), { name: 'database' })).register(sweeper)
  app.sweeper.add({
    table: sessions,
    isExpired() {
      if (++count === maxPages) enough.abort()
      return sql`${sessions.lastSeenAt} < now() - interval '400 days'`
    },
  })
  await db.execute(sql`select`)
  const start = performance.now()
  await app.sweeper.sweep(enough.signal)
  const took = performance.now() - start
  await db.$client.end()
  return took / count
}
