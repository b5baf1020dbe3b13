import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { median } from '../lib/load.ts'
import { limitRow, type Row } from '../lib/table.ts'
import { type Browser, newAddress, signUp } from './attacker.ts'
import { atMostRow } from './guesses.ts'

const tries = 720 // what the limit of an hour allows in a day
const connections = 4
const visits = 300

/** As many accounts as one person can get in a day, and what their visits cost others. */
export async function collectAccounts(url: string, databaseUrl: string): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const rich = await signUp(url, 'collector@example.com')
  const poor = await signUp(url, 'modest@example.com')
  const other = await signUp(url, 'other@example.com')
  for (let account = 0; account < tries; account++) {
    if (account % 30 === 0) await sql`delete from rate_limits` // the next hour
    await rich.browser.send('POST', '/accounts', { body: { name: `Account ${account}` }, from: newAddress() })
  }
  const [owned] = await sql`
    select count(*)::int as count from memberships join users on users.id = user_id
    where email = ${rich.email}`
  await sql.end()

  const beside = async ({ browser, slug }: { browser: Browser; slug: string }) => {
    let going = true
    const crowd = Array.from({ length: connections }, async () => {
      while (going) await browser.send('GET', `/${slug}`)
    })
    await sleep(500)
    const times: number[] = []
    for (let visit = 0; visit < visits; visit++) {
      const startedAt = performance.now()
      await other.browser.send('GET', `/${other.slug}`)
      times.push(performance.now() - startedAt)
    }
    going = false
    await Promise.all(crowd)
    return median(times)
  }
  await beside(poor)
  const usual = await beside(poor)
  const slowed = await beside(rich)
  const what = `a page beside the visits of somebody with as many accounts as they can get, of ${usual.toFixed(1)} ms`
  return [
    { ...atMostRow(`accounts of one person after a day, of ${tries} tries`, owned?.count ?? 0, 100), before: '721' },
    { ...limitRow(what, slowed / usual, { unit: '×', target: 1.5, digits: 2 }), before: '6.3 ×' },
  ]
}
