import { sql } from 'drizzle-orm'
import t from 'tap'
import { activities, users } from '../../drizzle/schema.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import type { Page } from '../helpers/browser.ts'
import { collectLines } from '../helpers/log.ts'
import { password, verifiedUp } from '../helpers/people.ts'
import { codeAt, start, withSecondFactor } from '../helpers/second-factors.ts'

const challenge = { password_challenge: password }

t.test('a secret and recovery codes are shown once, and never in a history, log, job, record or reload', async (t) => {
  const { lines, logTo } = collectLines()
  const { app, clock, db } = await startApp(t, { LOG_LEVEL: 'trace' }, { logTo })
  const { browser } = await verifiedUp(app)
  await db.update(users).set({ verified: true })

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

t.test('background reloads, prefetches and HEADs neither show nor use up one-time secrets', async (t) => {
  const { app } = await sharedApp(t)
  const { browser } = await verifiedUp(app)
  await browser.request('POST', '/settings/second_factor', { body: challenge })
  const reload = { 'x-inertia-partial-component': 'settings/security', 'cache-control': 'no-cache' }
  for (const headers of [reload, { purpose: 'prefetch' }]) {
    t.same((await browser.visit('/settings/security', headers)).flash, {})
  }
  await browser.request('HEAD', '/settings/security')
  t.ok((await browser.visit('/settings/security')).flash?.setup)
})

t.test('signing in with a code writes no code into a log', async (t) => {
  const { lines, logTo } = collectLines()
  const { app, clock } = await startApp(t, { LOG_LEVEL: 'trace' }, { logTo })
  const { halfway, code, wrong, user, recoveryCodes } = await withSecondFactor({ app, clock })
  const guess = await wrong()
  const { submit } = await halfway()
  await submit(guess)
  const right = await code()
  await submit(right)
  await (await halfway()).submit(recoveryCodes[0])
  const text = JSON.stringify(lines)
  for (const word of [guess, right, recoveryCodes[0] ?? '']) t.notOk(text.includes(`"${word}"`))
  const events = lines.filter(({ event }) => event === 'second_factor')
  t.same(
    events.map(({ outcome, user: about }) => [outcome, about]),
    [
      ['enabled', user.id],
      ['wrong', user.id],
      ['right', user.id],
      ['right', user.id],
    ],
  )
})
