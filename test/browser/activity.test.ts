import { readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activities, sessions } from '../../drizzle/schema.ts'
import { password, signedUp, startAcme } from '../helpers/people.ts'
import { forgetActivities } from '../helpers/records.ts'
import { violationsIn } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { comesTrue } from './steps.ts'

const { app, db, open } = await startBrowser(t)

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
