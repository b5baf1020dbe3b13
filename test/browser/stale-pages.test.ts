import type { Page } from 'playwright-core'
import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { signedUp } from '../helpers/people.ts'
import { skip, startBrowser } from './chromium.ts'
import { holdLine, signOut } from './steps.ts'

t.test('going back to a private page shows nothing until the server has sent it again', { skip }, async (t) => {
  const { app, db, open } = await startBrowser(t, { SSR_ENABLED: 'true' })
  const { browser } = await signedUp(app)
  const page = await open({ as: browser })
  await page.goto('/settings/profile')
  await page.goto('about:blank')
  await db.update(users).set({ name: 'Renamed' })
  await page.addInitScript(noteWhatIsSeen)
  await holdLine(page)
  await page.goBack()
  await page.getByRole('button', { name: 'Menu of Renamed' }).waitFor()
  t.same(await seen(page), ['Profile Renamed'])

  const other = await page.context().newPage()
  await other.goto('/settings/profile')
  await page.goto('about:blank')
  await signOut(other)
  await page.goBack()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  t.same(await seen(page), ['Profile Renamed', 'Sign in'])
})

for (const NODE_ENV of ['test', 'production']) {
  t.test(`after a session ended elsewhere, going back shows nothing private, in ${NODE_ENV}`, { skip }, async (t) => {
    const { app, db, open } = await startBrowser(t, { NODE_ENV })
    const { browser } = await signedUp(app)
    const page = await open({ as: browser })
    await page.goto('/settings/profile')
    await page.getByRole('link', { name: 'Email' }).click()
    await page.getByRole('heading', { name: 'Email', exact: true }).waitFor()
    await db.delete(sessions)
    await page.getByRole('link', { name: 'Appearance' }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    await page.evaluate(noteWhatIsSeen)
    const answered = page.waitForResponse('**/sign_in')
    await page.goBack()
    await answered
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    t.same(await seen(page), ['Sign in'])
  })
}

/** Notes what can be seen while documents are being loaded. */
const noteWhatIsSeen = `requestAnimationFrame(function look() {
  const heading = document.querySelector('h1')
  const name = document.querySelector('input[name=name]')?.value
  if (heading?.checkVisibility()) sessionStorage['seen ' + heading.innerText + (name ? ' ' + name : '')] = ''
  requestAnimationFrame(look)
})`

const seen = async (page: Page) => {
  const keys = await page.evaluate<string[]>('Object.keys(sessionStorage)')
  return keys.flatMap((key) => (key.startsWith('seen ') ? key.slice('seen '.length) : [])).toSorted()
}
