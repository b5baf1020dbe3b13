import { sql } from 'drizzle-orm'
import t from 'tap'
import { activities } from '../../drizzle/schema.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import type { Page } from '../helpers/browser.ts'
import { password, verifiedUp } from '../helpers/people.ts'
import { codeAt, start } from '../helpers/second-factors.ts'

const challenge = { password_challenge: password }

t.test('a secret and recovery codes are shown once, and never in a history, log, job, record or reload', async (t) => {
  const { lines, logTo } = collectLines()
  const { app, clock, db } = await startApp(t, { LOG_LEVEL: 'trace' }, { logTo })
  const { browser } = await verifiedUp(app)

  const seen: string[] = []
  // The client keeps everything of a page in its history except the flash.
  const once = ({ flash, ...page }: Page) => {
    seen.push(JSON.stringify(page))
    return flash?.recovery_codes as string[]
  }
  const { secret, uri, qr } = await start(browser)
  seen.push(JSON.stringify(await browser.visit('/settings/security')))
  const code = await codeAt(secret, clock.now())
  const codes = once(await browser.submit('PATCH', '/settings/second_factor', { code }))
  seen.push(JSON.stringify(await browser.visit('/settings/security')))
  codes.push(...once(await browser.submit('POST', '/settings/recovery_codes', challenge)))
  t.equal(codes.length, 20)
  const part = {
    'x-inertia-partial-component': 'settings/security',
    'x-inertia-partial-data': 'second_factor,flash,setup,recovery_codes',
  }
  seen.push(JSON.stringify(await browser.visit('/settings/security', part)))

  seen.push(JSON.stringify((await db.execute(sql`select * from pgboss.job`)).rows))
  seen.push(JSON.stringify(await db.select().from(activities)))
  seen.push(JSON.stringify(lines))
  t.ok(lines.length > 10)
  for (const text of seen) {
    for (const word of [secret, uri, qr, code, ...codes])
      t.notOk(text.includes(word), `${word.slice(0, 8)} in ${text.slice(0, 40)}`)
  }
})
