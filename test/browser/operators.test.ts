import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { secondFactors } from '../../drizzle/tables/second-factor.ts'
import { operatorUp } from '../helpers/operators.ts'
import { nextIp, signedUp } from '../helpers/people.ts'
import { withSecondFactor } from '../helpers/second-factor.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { checkAll } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { comesTrue, confirm, enter, watchShifts } from './steps.ts'

t.test('an operator finds who cannot sign in, and removes the locked factor', { skip }, async (t) => {
  const smtp = await startSmtp(t)
  const started = await startBrowser(t, { ...smtp.environment, SSR_ENABLED: 'true' })
  const { app, db, open } = started
  await app.jobs.startWorkers()
  const operator = await operatorUp(started)
  const person = await withSecondFactor(started)
  const { prove } = await person.halfway()
  for (let tries = 0; tries < 10; tries++) await prove(await person.wrong())
  t.equal(await db.$count(secondFactors), 2)

  const page = await open({ as: operator.browser })
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: /^Menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Operators' }).click()
  await page.waitForURL('/admin/users')
  await checkAll(t, page, 'users')
  await page.keyboard.type('nobody-begins-so') // the search has the focus
  await page.getByText('Nothing begins like this.').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(person.person.email.slice(0, 7).toUpperCase())
  await page.getByText(person.person.email).waitFor()
  await page.getByText(operator.person.email).waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`/admin/users/${person.user.id}`)
  await page.getByText(/Codes of the app are locked until/).waitFor()
  await checkAll(t, page, 'a user')
  await page.setViewportSize({ width: 390, height: 800 })
  t.ok(await page.evaluate('document.documentElement.scrollWidth <= 390'), 'nothing sticks out on a phone')

  await page.getByRole('button', { name: 'Remove second factor' }).click()
  await confirm(page, 'Remove second factor', 'wrong')
  await page.getByText('That is not your current password').waitFor()
  await confirm(page, 'Remove second factor')
  await page.getByText('Second factor removed').waitFor()
  await page.getByText('Nothing here keeps them out.').waitFor()
  await comesTrue(page, 'document.activeElement.id === "why"')
  await page.getByText('An operator turned off two-factor authentication').waitFor()
  t.equal((await smtp.next('Two-factor authentication is off')).recipient, person.person.email)
  await page.goto('/admin/log')
  await page.getByText('removed a second factor').waitFor()
  await checkAll(t, page, 'the log')

  const other = await open({ extraHTTPHeaders: { 'x-forwarded-for': nextIp() } })
  await other.goto('/sign_in')
  await enter(other, { email: person.person.email })
  await other.waitForURL(`/${person.slug}`)
  await other.goto('/settings/activity')
  await other.getByText('An operator turned off two-factor authentication').waitFor()
})

t.test('what keeps somebody out stands still while the script comes, in any zone', { skip }, async (t) => {
  const started = await startBrowser(t, { SSR_ENABLED: 'true' })
  const { db, open } = started
  const operator = await operatorUp(started)
  const { user } = await signedUp(started.app)
  const suspended = { suspendedAt: new Date(), suspensionReason: 'sent the same invitation to many people' }
  await db.update(users).set(suspended).where(eq(users.id, user.id))
  const viewport = { width: 390, height: 844 }
  const zone = { locale: 'en-GB', timezoneId: 'Asia/Kolkata' }
  const page = await open({ hasty: true, viewport, ...zone, as: operator.browser, expects: ['offline'] })
  await page.route(/\.woff2$/, (route) => route.abort())
  await watchShifts(page)
  await page.goto(`/admin/users/${user.id}`)
  await comesTrue(page, 'Boolean(window.isStarted)')
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  t.same(await page.evaluate('shifts'), [])
})
