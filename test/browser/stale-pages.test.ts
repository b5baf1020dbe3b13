import type { Page } from 'playwright-core'
import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { signedUp } from '../helpers/people.ts'
import { skip, startBrowser } from './chromium.ts'
import { enter, fill, signOut, signUp } from './steps.ts'

const { app, db, open } = await startBrowser(t, { SSR_ENABLED: 'true' })

t.test('going back to a page that was not kept shows what the server sends, not its history', { skip }, async () => {
  const page = await open({ as: (await signedUp(app)).browser })
  await page.goto('/settings/profile')
  // as if props had other names before
  await page.evaluate('history.replaceState({ ...history.state, page: { ...history.state.page, props: {} } }, "")')
  await page.goto('about:blank')
  await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache')
  await page.goBack()
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
})

t.test('going back to a private page shows nothing until the server has sent it again', { skip }, async (t) => {
  const page = await open({ as: (await signedUp(app)).browser })
  await page.goto('/settings/profile')
  await page.goto('about:blank')
  await db.update(users).set({ name: 'Renamed' })
  await page.addInitScript(noteWhatIsSeen)
  const session = await page.context().newCDPSession(page) // since a route of the driver turns the cache off
  await session.send('Network.enable')
  const slow = { offline: false, latency: 700, downloadThroughput: -1, uploadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', slow)
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
    const page = await open({ as: (await signedUp(app)).browser })
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

t.test('a form is not saved for a person who signed in in another tab', { skip }, async (t) => {
  const [ana, ben] = [await signedUp(app), await signedUp(app)]
  const page = await open({ as: ana.browser, expects: [409] })
  await page.goto('/settings/profile')
  await fill(page, { Name: 'Half typed' })
  const other = await page.context().newPage()
  await other.goto(`/${ana.slug}`)
  await signOut(other)
  await enter(other, ben.person)
  await other.getByText('Signed in successfully').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(`You are signed in as ${ben.person.email} now. Nothing was changed.`).waitFor()
  t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), ben.person.name)
  t.equal(await page.getByRole('button', { name: `Menu of ${ben.person.name}` }).count(), 1)
})

t.test('forms work beside another cookie of the same name, as a parent domain may set one', { skip }, async (t) => {
  const page = await open()
  // Browsers list the one of the longer path first, as that of a parent domain which is older.
  await page.context().addCookies([{ name: 'XSRF-TOKEN', domain: 'localhost', path: '/sign_up', value: '50%' }])
  await page.goto('/sign_up')
  t.match(await page.evaluate('document.cookie'), /XSRF-TOKEN=50%; XSRF-TOKEN=/)
  await fill(page, { Name: 'Ana', Email: 'ana' })
  await page.getByLabel('Password', { exact: true }).focus()
  await page.getByText("That doesn't look like an email address").waitFor() // which the server says
  await signUp(page)
})

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
