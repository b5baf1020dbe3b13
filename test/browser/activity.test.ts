import { readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t from 'tap'
import { activities, rateLimits, sessions } from '../../drizzle/schema.ts'
import { startAcme } from '../helpers/accounts.ts'
import { forgetActivities } from '../helpers/activities.ts'
import { password, signedIn, signedUp } from '../helpers/people.ts'
import { violationsIn } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { comesTrue } from './steps.ts'

const { app, db, open } = await startBrowser(t)

t.test('a role change shows up live in the activity list', { skip }, async (t) => {
  const { owner, join } = await startAcme(app)
  const [third, member] = [await join('admin'), await join('member')]
  const reader = await open({ as: third.browser })
  const stream = reader.waitForResponse((response) => response.url().includes('/live?'))
  await reader.goto('/acme')
  await reader.getByRole('link', { name: 'Activity', exact: true }).click()
  await heading(reader, 'Activity')
  await comesTrue(reader, `document.title === 'Activity · Acme · Acme Accounts'`)
  await stream

  const page = await open({ as: owner.browser })
  await page.goto('/acme/members')
  await page.getByRole('button', { name: `Role of ${member.person.name}: Member` }).click()
  await page.getByRole('menuitemradio', { name: /^Admin/ }).click()
  const sentence = `${owner.person.name} changed ${member.person.name}’s role from member to admin`
  await row(reader, sentence).waitFor()
  await reader.getByRole('region', { name: 'Today' }).getByText('just now').first().waitFor()
  t.match(await row(reader, sentence).locator('time').getAttribute('title'), /UTC|:\d\d/, 'and when exactly')
  t.notOk(await reader.getByRole('link', { name: /CSV/ }).isVisible(), 'only owners take it with them')

  await reader.getByRole('link', { name: 'Workspace', exact: true }).last().click()
  await row(reader, sentence).waitFor({ state: 'detached' })
  await row(reader, `${owner.person.name} created the workspace`).waitFor()

  await reader.getByLabel('By').selectOption(third.person.name)
  await reader.getByRole('button', { name: 'Search' }).click()
  await reader.getByText('No activity matches your filters').waitFor()
  t.match(reader.url(), /kind=account&actor=\d+$/, 'the kind stays')
  await reader.getByRole('link', { name: 'All', exact: true }).click()
  await reader.waitForURL(/activity\?actor=\d+$/)
  await reader.getByRole('link', { name: 'Show all' }).click()
  await row(reader, sentence).waitFor()
  await reader.getByLabel('To', { exact: true }).fill('2020-01-31')
  await reader.getByRole('button', { name: 'Search' }).click()
  await row(reader, sentence).waitFor({ state: 'detached' })
  t.equal(await reader.getByLabel('To', { exact: true }).inputValue(), '2020-01-31')
  const zone = await reader.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone')
  t.equal(new URL(reader.url()).searchParams.get('tz'), zone, 'days are those of the reader')

  const own = await open({ as: member.browser })
  await own.goto('/settings/activity')
  await row(own, `${owner.person.name} changed your role in Acme from member to admin`).waitFor()
  await row(own, `You created the workspace ${member.person.name}`).waitFor()
  await comesTrue(own, `document.title === 'Your activity · Acme Accounts'`)
  await own.getByRole('link', { name: 'end all other sessions' }).waitFor()
  await row(own, 'You signed up')
    .getByText(/from Chrome on Linux, 198\.51/)
    .waitFor()

  const download = page.waitForEvent('download')
  await page.goto('/acme/activity')
  await page.getByRole('link', { name: /CSV/ }).click()
  t.equal((await download).suggestedFilename(), 'acme-activity.csv')
  await db.update(rateLimits).set({ hits: 1_000 })
  await page.getByRole('link', { name: /CSV/ }).click()
  await page.getByText('Try again later.').waitFor()
  await heading(page, 'Activity')
  await db.delete(rateLimits)
})

t.test('an expired session is explained on the sign-in page', { skip }, async (t) => {
  const { app, open, clock } = await startBrowser(t, { SESSION_IDLE: '30m' })
  const { browser, person } = await signedUp(app)
  const page = await open({ as: browser })
  await page.goto('/settings/profile')
  clock.forward({ minutes: 31 })
  await page.getByRole('link', { name: 'Email', exact: true }).click()
  await page.waitForURL('/sign_in')
  await page.getByText('Your session has ended. Please sign in again').waitFor()
  t.equal(await page.getByText('Your session has ended').count(), 1)
  const [message, close] = [page.getByRole('alert'), page.getByRole('button', { name: 'Dismiss' })]
  const [top, below] = [(await message.boundingBox())?.y ?? 0, (await close.boundingBox())?.y ?? 0]
  t.ok(below - top < 20, `the button is beside the message, ${below - top} below its top`)

  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await heading(page, 'Email')
})

t.test('an export is downloaded with the right contents', { skip }, async (t) => {
  const { browser, person } = await signedUp(app)
  const page = await open({ as: browser })
  await page.goto('/settings/profile')
  const field = page.getByLabel('Current password').first()
  await field.fill('a wrong password')
  await page.getByRole('button', { name: 'Download your data' }).click()
  await page.locator('[aria-invalid="true"]').waitFor()
  await comesTrue(page, hasColorOfItsError('[aria-invalid=true]'))

  const download = page.waitForEvent('download')
  await field.fill(password)
  await page.getByRole('button', { name: 'Download your data' }).click()
  const file = await download
  t.equal(file.suggestedFilename(), 'accounts-export.json')
  const data = JSON.parse(await readFile(await file.path(), 'utf8'))
  t.equal(data.user.email, person.email)
  t.equal(data.activity[0].type, 'data_exported')
  t.equal(await page.getByLabel('Current password').first().inputValue(), '', 'and the password is forgotten')
})

t.test('this device is first in the session list, and the focus stays near the removed row', { skip }, async (t) => {
  const { browser, person } = await signedUp(app)
  for (let n = 0; n < 3; n++) await signedIn(app, person)
  const page = await open({ as: browser })
  await page.goto('/settings/sessions')
  const rows = page.getByRole('listitem')
  await rows.first().getByText('This device').waitFor()
  t.equal(await rows.count(), 4)
  await rows
    .nth(1)
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await page.getByText('That session has ended').waitFor()
  await rows.nth(3).waitFor({ state: 'detached' })
  await rows.nth(1).and(page.locator(':focus')).waitFor()

  await page.getByRole('button', { name: 'End all other sessions' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByText('All other sessions have been ended').waitFor()
  await rows.nth(1).waitFor({ state: 'detached' })
  t.equal(await page.getByRole('button', { name: 'End all other sessions' }).count(), 0)
})

t.test('activity pages are accessible and fit, whatever they contain', { skip }, async (t) => {
  const { owner, account, path: acme } = await startAcme(app)
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte'.repeat(4).slice(0, 255)
  const fill = async (count: number) => {
    await forgetActivities(db)
    const details = { name: long, account_name: long, from: 'member', to: 'admin' }
    const happened = { type: 'role_changed', actorId: 0, actorName: long, userId: owner.user.id, accountId: account.id }
    const at = (n: number) => new Date(Date.now() - n * 7_200_000)
    const rows = Array.from({ length: count }, (_, n) => ({ ...happened, details, createdAt: at(count - n) }))
    if (count > 0) await db.insert(activities).values(rows)
  }
  await db.execute(sql`
    insert into sessions (token, user_id, user_agent, ip_address)
    select 't-' || n, ${owner.user.id}, ${'x'.repeat(300)}, '2001:db8:85a3:1234:5678:8a2e:370:7334'
    from generate_series(1, 60) n`)
  const both = ['light', 'dark'] as const
  const page = await open({ as: owner.browser })
  for (const [path, counts] of Object.entries({
    '/settings/sessions': [1],
    [`${acme}/activity`]: [0, 1, 70],
    '/settings/activity': [0, 1, 70],
  })) {
    for (const count of counts) {
      await fill(count)
      await page.goto(path)
      if (path.endsWith('sessions')) await page.getByRole('listitem').first().getByText('This device').waitFor()
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        const schemes = count === 1 ? both : width === 360 ? both.slice(0, 1) : both.slice(1)
        t.same(await violationsIn(page, schemes), [], `${path} with ${count}, ${width}`)
        t.notOk(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), `${path} fits ${width}`)
      }
    }
  }
  t.equal((await db.select().from(sessions).where(eq(sessions.userId, owner.user.id))).length, 61)
  await page.goto(`${acme}/activity`)
  const name = page.getByRole('listitem').first().locator('bdi').first()
  t.equal(await name.innerText(), `${long.slice(0, 80)}…`, 'a name leaves room for what happened')
  t.equal(await name.getAttribute('title'), long)
  t.equal(await page.getByRole('listitem').count(), 50)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  t.equal(await page.getByRole('listitem').count(), 70)
  await page.getByRole('listitem').nth(50).and(page.locator(':focus')).waitFor()
})

/** Whether the edge of a field and the message below it have the same color. */
const hasColorOfItsError = (field: string) => `(() => {
  const field = document.querySelector('${field}')
  const message = field.closest('.field').querySelector('.field-error p')
  return message && getComputedStyle(message).color === getComputedStyle(field).borderTopColor
})()`

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })
