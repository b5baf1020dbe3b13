import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { signedUp } from '../helpers/people.ts'
import { costlyBodies, costlyHeads, costlyUploads } from './costly.ts'
import { cost, send } from './costs.ts'

// Work is counted in plain requests of the same size, whose work is measured beside it, so a busy or slow machine makes
// no difference. COSTS=true prints all figures.
const most = 10
const attempts = 5
const mebibyte = 1_048_000

t.test('no body of 1 MiB takes more than ten times the work of a plain one', async (t) => {
  const { app } = await sharedApp(t)
  const guest = await Browser.open(app)
  const { browser } = await signedUp(app)
  const forms = [
    { who: guest, method: 'PATCH', url: '/identity/password_reset', field: 'password', others: { sid: 'x' } },
    { who: browser, method: 'PATCH', url: '/settings/email', field: 'passkey_challenge', others: { email: 'x' } },
  ] as const
  for (const { who, method, url, field, others } of forms) {
    const post = ({ payload, type }: { payload: string; type: string }) => {
      const headers = { 'content-type': type }
      return send(app, who, { method, url, payload, headers })
    }
    const plain = costlyBodies('x', others, mebibyte).filter(({ what }) => what.endsWith(': plain'))
    for (const body of costlyBodies(field, others, mebibyte)) {
      const alike = plain.find(({ type }) => type === body.type) ?? body
      await compare(t, app, `${method} ${url} ${body.what}`, { plain: () => post(alike), worst: () => post(body) })
    }
  }
})

t.test('no form with a file takes more than ten times the work of a plain one', async (t) => {
  const { app } = await sharedApp(t)
  const { browser } = await signedUp(app)
  const put = (form: Buffer) => () =>
    send(app, browser, {
      method: 'PUT',
      url: '/settings/picture',
      payload: Readable.from(piecesOf(form)),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
  for (const bytes of [60_000, 8_100_000]) {
    const [plain, ...others] = costlyUploads(bytes)
    for (const { what, form } of others) {
      await compare(t, app, `${bytes} bytes, ${what}`, { plain: put(plain?.form ?? form), worst: put(form) })
    }
  }
})

/** As a socket delivers them. */
function* piecesOf(form: Buffer) {
  for (let at = 0; at < form.length; at += 65_536) yield form.subarray(at, at + 65_536)
}

t.test('16 KiB of headers take no more than ten times the work of a plain request', async (t) => {
  const { app } = await sharedApp(t)
  const { browser, slug } = await signedUp(app)
  const guest = await Browser.open(app)
  for (const [who, url] of [
    [guest, '/sign_in'],
    [browser, `/${slug}/members`],
  ] as const) {
    const partial =
      url === '/sign_in' ? {} : { ...browser.protocolHeaders(), 'x-inertia-partial-component': 'accounts/members' }
    const get = (headers: object, query = '') =>
      send(app, who, { url: `${url}?${query}`, headers: { ...partial, ...headers } })
    for (const { what, headers, query } of costlyHeads(15_500) as { what: string; headers: object; query?: string }[]) {
      const plain = () => get({ 'x-plain': 'a'.repeat(15_500) })
      await compare(t, app, `GET ${url} ${what}`, { plain, worst: () => get(headers, query), times: 20 })
    }
  }
})

type Pair = { plain(): Promise<number>; worst(): Promise<number>; times?: number }

/** Looks again, because a single figure may hold the work of something else, such as a garbage collection. */
async function compare(t: Test, app: FastifyInstance, what: string, { plain, worst, times = 1 }: Pair) {
  let ratio = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && ratio > most; attempt++) {
    await app.db.execute(sql`delete from rate_limits`)
    const [ours, theirs] = [await cost(plain, times + attempt), await cost(worst, times + attempt)]
    ratio = Math.min(ratio, theirs / ours)
    if (process.env.COSTS) console.log(`${what}: ${ours.toFixed(1)} ms, ${theirs.toFixed(1)} ms, ${ratio.toFixed(1)}`)
  }
  t.ok(ratio <= most, `${what} takes ${ratio.toFixed(1)} times as much`)
}
