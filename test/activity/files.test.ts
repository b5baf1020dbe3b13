import { once } from 'node:events'
import { request } from 'node:http'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { rateLimits } from '../../drizzle/schema.ts'
import type { Browser } from '../helpers/browser.ts'
import { sharedLiveAcme } from '../helpers/people.ts'

t.test('a person has one running download, and the next one when it has ended', async (t) => {
  const { app, db, account, owner, join } = await sharedLiveAcme(t)
  const other = await join('owner')
  // More than the buffers of a connection hold.
  const details = JSON.stringify({ from: 'x'.repeat(10_000) })
  await db.execute(sql`
    insert into activities (type, account_id, details)
    select 'account_renamed', ${account.id}, ${details}::jsonb from generate_series(1, 3000)`)

  const begun = async (browser: Browser) => {
    const headers = { ...browser.headers, cookie: browser.cookieHeader() }
    const [response] = await once(request(`${app.listeningOrigin}/acme/activity.csv`, { headers }).end(), 'response')
    return response
  }
  const running = await begun(owner.browser)
  t.equal(running.statusCode, 200)
  for (const path of ['/acme/activity', '/settings/activity']) {
    const page = await owner.browser.visit(`${path}.csv`, { referer: `http://localhost:3000${path}?from=2026-01-01` })
    t.same([page.url, page.flash?.alert], [`${path}?from=2026-01-01`, 'Try again later.'])
  }
  const beside = await begun(other.browser)
  t.equal(beside.statusCode, 200)

  for (const response of [running, beside]) response.destroy()
  while ((await owner.browser.request('GET', '/settings/activity.csv')).statusCode !== 200) await db.delete(rateLimits)
})
