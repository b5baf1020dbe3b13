import type { Page } from 'playwright-core'
import t from 'tap'
import { accounts, memberships } from '../../drizzle/schema.ts'
import { startAcme } from '../helpers/people.ts'
import { checkAll } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { comesTrue } from './steps.ts'

const { app, db, open } = await startBrowser(t, { SSR_ENABLED: 'true' })

t.test('a page that cannot be shown says so and offers a reload, in the shell and logged once', { skip }, async (t) => {
  const { owner, path } = await startAcme(app)
  const page = await open({ as: owner.browser, expects: ['error'] })
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(path)
  await page.route(`**${path}/members`, async (route) => {
    const response = await route.fetch()
    const sent = await response.json()
    await route.fulfill({ response, json: { ...sent, props: { ...sent.props, members: null } } })
  })
  await tab(page, 'Members').click()
  const failure = page.getByRole('heading', { name: "This page can't be shown" })
  await failure.waitFor()
  await checkAll(t, page, 'a page that cannot be shown')
  t.equal(errors.length, 1, errors.join())

  await tab(page, 'Overview').click()
  await page.getByRole('heading', { name: 'Acme' }).waitFor()
  await tab(page, 'Members').click()
  await failure.waitFor()
  await page.unroute(`**${path}/members`)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('cell', { name: owner.person.email }).waitFor()
})

t.test('the switcher leads to one of many workspaces by keyboard alone, and returns the focus', { skip }, async (t) => {
  const { owner, account, path } = await startAcme(app)
  const many = Array.from({ length: 25 }, (_, n) => ({ name: `Client ${n + 1}`, slug: `client-${n + 1}` }))
  const added = await db.insert(accounts).values(many).returning({ accountId: accounts.id })
  const member = { userId: owner.user.id, role: 'member' as const }
  await db.insert(memberships).values(added.map(({ accountId }) => ({ ...member, accountId })))
  const page = await open({ as: owner.browser, viewport: { width: 390, height: 640 } })
  await page.goto(path)
  const switcher = page.getByRole('button', { name: /^Workspace:/ })
  const items = page.getByRole('menuitem')
  await switcher.press('Enter')
  await items.first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await switcher.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await items.nth(27).waitFor()
  t.match(await items.first().innerText(), account.name, 'the current one comes first')
  t.same(await isInView(page, 'New workspace'), true)
  await checkAll(t, page, 'many workspaces')

  await page.keyboard.press('ArrowDown')
  await items.first().and(page.locator(':focus')).waitFor()
  await page.keyboard.type('client 17')
  await page.getByRole('searchbox').and(page.locator(':focus')).waitFor()
  await items.nth(2).waitFor({ state: 'detached' })
  t.same(await items.allInnerTexts(), ['C\nClient 17', 'New workspace'])
  await page.keyboard.press('Enter')
  await page.waitForURL('/client-17')
  await page.getByRole('menu').waitFor({ state: 'detached' })
})

t.test('a pressed link is marked at once, its page is prefetched, and a saved form says so', { skip }, async (t) => {
  const { owner, path } = await startAcme(app)
  const page = await open({ as: owner.browser })
  await page.goto(path)
  const held = Promise.withResolvers<void>()
  const purposes: (string | undefined)[] = []
  await page.route(`**${path}/members`, async (route) => {
    purposes.push(route.request().headers().purpose)
    await held.promise
    await route.continue()
  })
  const asked = page.waitForRequest(`**${path}/members`)
  await tab(page, 'Members').hover()
  await asked
  await tab(page, 'Members').click()
  await page.locator('.tabs [aria-current=page]').filter({ hasText: 'Members' }).waitFor()
  t.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Acme')
  held.resolve()
  await page.getByRole('cell', { name: owner.person.email }).waitFor()
  t.same(purposes, ['prefetch'])
  await page.unroute(`**${path}/members`)

  await tab(page, 'Settings').click()
  await page.getByLabel('Name', { exact: true }).fill('Apex')
  const saving = Promise.withResolvers<void>()
  await page.route(`**${path}/settings`, async (route) => {
    if (route.request().method() === 'PATCH' && !route.request().headers().precognition) await saving.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save' }).click()
  const spinner = `getComputedStyle(document.querySelector('form [type=submit]'), '::after').visibility === 'visible'`
  await comesTrue(page, spinner)
  saving.resolve()
  await page.getByRole('button', { name: 'Saved' }).and(page.locator(':focus')).waitFor()
  t.equal(await page.locator('.toast').count(), 0, 'nothing else does')
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
})

t.test('⌘K leads to workspaces, pages and members, and changes the theme, by keyboard', { skip }, async (t) => {
  const { owner, join, path } = await startAcme(app)
  const member = await join('member')
  const page = await open({ as: owner.browser })
  await page.goto(path)
  const field = page.getByRole('combobox', { name: 'Search' })
  const option = (name: string) => page.getByRole('option', { name })
  const look = async (typed: string) => {
    await field.waitFor({ state: 'detached' }) // the shortcut closes what is open
    await page.keyboard.press('Control+k')
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type(typed)
  }
  await look('')
  await option('Overview').and(page.locator('[aria-selected=true]')).waitFor()
  await checkAll(t, page, 'the palette')
  await page.keyboard.press('ArrowDown')
  const active = await field.getAttribute('aria-activedescendant')
  t.equal(await option('Members').getAttribute('id'), active)
  await page.keyboard.press('Escape')

  await look(owner.slug)
  await page.keyboard.press('Enter')
  await page.waitForURL(`/${owner.slug}`)
  await look('acme')
  await page.keyboard.press('Enter')
  await page.waitForURL(path)
  await look(member.person.email)
  await option(member.person.name).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${path}/members?q=*`)
  await page.getByText('1 found').waitFor()

  await look('theme')
  await option('Dark').click()
  await field.waitFor({ state: 'detached' })
  t.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  await look('sessions')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
  await look('nothing of this name')
  await page.getByText('Nothing matches.').waitFor()
})

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })

async function isInView(page: Page, name: string) {
  const box = await page.getByRole('menuitem', { name }).boundingBox()
  return box !== null && box.y > 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0)
}
