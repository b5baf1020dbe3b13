import { sql } from 'drizzle-orm'
import type { Page, Request } from 'playwright-core'
import t from 'tap'
import { startAcme } from '../helpers/accounts.ts'
import { signedIn } from '../helpers/people.ts'
import { skip, startBrowser } from './chromium.ts'

const { app, db, open } = await startBrowser(t)

t.test('two people see presence, changes and departures without a page load', { skip }, async (t) => {
  const { owner, join, path } = await startAcme(app)
  const member = await join('member')
  const ana = await open({ as: owner.browser })
  const ben = await open({ as: member.browser })
  await openLive(ana, `${path}/members`)
  await openLive(ben, `${path}/members`)

  await row(ana, member.person).getByText('Here now').waitFor()
  await row(ben, owner.person).getByText('Here now').waitFor()
  t.equal(await row(ben, member.person).getByText('Here now').count(), 0, 'oneself is no news')

  const requests = watch(ben)
  await ana.getByRole('button', { name: `Role of ${member.person.name}: Member` }).click()
  await ana.getByRole('menuitemradio', { name: /^Admin/ }).click()
  await ana.getByText('Role updated').waitFor()
  await ben.getByRole('button', { name: 'Invite' }).waitFor()
  await row(ben, member.person)
    .getByRole('button', { name: /: Admin$/ })
    .waitFor()
  const reloads = requests.filter((request) => request.headers()['x-inertia'])
  t.same(
    reloads.map((request) => request.headers()['x-inertia-partial-data']),
    ['members,invitations'],
  )
  t.equal(await ben.locator('.toast').count(), 0, 'what another person did is not announced as if one had done it')

  await tab(ben, 'Overview').click()
  await ben.getByRole('heading', { name: 'Acme' }).waitFor()
  t.equal(await row(ana, member.person).getByText('Here now').count(), 1, 'every page of the account is here')
  await ben.getByRole('button', { name: /^Menu of/ }).click()
  await ben.getByRole('menuitem', { name: 'Settings' }).click()
  await row(ana, member.person).getByText('Here now').waitFor({ state: 'detached' })
  await ben.goBack()
  await row(ana, member.person).getByText('Here now').waitFor()
  await ben.close()
  await row(ana, member.person).getByText('Here now').waitFor({ state: 'detached' })
})

t.test('a new account name appears without disturbing someone who is typing', { skip }, async (t) => {
  const { owner, join, path } = await startAcme(app)
  const admin = await join('admin')
  const ana = await open({ as: owner.browser })
  const ben = await open({ as: admin.browser })
  await openLive(ana, `${path}/settings`)
  await openLive(ben, `${path}/settings`)
  await ben.getByLabel('Name', { exact: true }).fill('Half a na')

  const echoes = watch(ana)
  await ana.getByLabel('Name', { exact: true }).fill('Acme & Daughters')
  await ana.getByRole('button', { name: 'Save' }).click()
  await ana.getByText('Settings saved').waitFor()
  await ben.getByRole('button', { name: 'Workspace: Acme & Daughters' }).waitFor()
  t.equal(await ben.getByLabel('Name', { exact: true }).inputValue(), 'Half a na')
  t.same(
    echoes.filter((request) => request.headers()['x-inertia-partial-data']).length,
    0,
    'the tab that did it hears no echo',
  )

  await ben.getByRole('button', { name: 'Workspace: Acme & Daughters' }).click()
  await ben.getByRole('menuitem', { name: 'Acme & Daughters' }).waitFor()
})

t.test(
  'a removed member is redirected out of the account with a message, one who leaves without',
  { skip },
  async (t) => {
    const { owner, join, path } = await startAcme(app)
    const [removed, leaver] = [await join('member'), await join('member')]
    const ben = await open({ as: removed.browser })
    await openLive(ben, `${path}/members`)
    await row(ben, owner.person).waitFor()
    const cleo = await open({ as: leaver.browser })
    await openLive(cleo, `${path}/members`)
    await row(cleo, removed.person).getByText('Here now').waitFor()

    await owner.browser.submit('DELETE', `${path}/members/${removed.membershipId}`)
    await ben.waitForURL(`/${removed.slug}`)
    await ben.getByText(`${owner.person.name} removed you from Acme.`).waitFor()
    await row(cleo, removed.person).waitFor({ state: 'detached' })

    await cleo.getByRole('button', { name: 'Leave workspace' }).click()
    await cleo.getByRole('alertdialog').getByRole('button', { name: 'Leave workspace' }).click()
    await cleo.waitForURL(`/${leaver.slug}`)
    await cleo.getByText('You left Acme').waitFor()
    t.equal(await cleo.getByText('removed you').count(), 0)
  },
)

t.test('a page catches up after its stream was lost', { skip }, async () => {
  const { owner, join, path } = await startAcme(app)
  const member = await join('member')
  const page = await open({ as: owner.browser })
  await openLive(page, `${path}/members`)
  await db.execute(sql`update memberships set role = 'admin' where id = ${member.membershipId}`)
  await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'accounts listener'`)
  await row(page, member.person)
    .getByRole('button', { name: /: Admin$/ })
    .waitFor()
})

t.test('tabs that lose their streams at once reconnect at different times', { skip }, async (t) => {
  const { owner, join, path } = await startAcme(app)
  const member = await join('member')
  const [late, soon] = [await open({ as: owner.browser }), await open({ as: member.browser })]
  const chance = { late: 100_000, soon: 0 } // seconds, instead of a fraction of one
  await openLive(late, `${path}/members`)
  await late.evaluate((drawn) => Object.assign(Math, { random: () => drawn }), chance.late)
  await openLive(soon, `${path}/members`)
  await soon.evaluate((drawn) => Object.assign(Math, { random: () => drawn }), chance.soon)

  const asked = { late: watch(late), soon: watch(soon) }
  const back = soon.waitForResponse((response) => new URL(response.url()).pathname === '/live')
  await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'accounts listener'`)
  await back
  const asksForAuth = (request: Request) => request.headers()['x-inertia-partial-data'] === 'auth'
  t.equal(asked.soon.filter(asksForAuth).length, 1)
  t.equal(asked.late.filter(asksForAuth).length, 0)
})

t.test('a session that ended elsewhere redirects to the sign-in page', { skip }, async () => {
  const { owner, path } = await startAcme(app)
  const elsewhere = await signedIn(app, owner.person)
  const page = await open({ as: elsewhere.browser })
  await openLive(page, `${path}/members`)
  const { sessions, auth } = (await owner.browser.visit('/settings/sessions')).props
  const other = sessions.find(({ id }: { id: string }) => id !== auth.session.id)
  await owner.browser.submit('DELETE', `/sessions/${other.id}`)
  await page.waitForURL('/sign_in')
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
})

t.test('a tab hidden for long closes its stream, and catches up when it is visible again', { skip }, async () => {
  const { owner, join, path } = await startAcme(app)
  const member = await join('member')
  const ana = await open({ as: owner.browser })
  const ben = await open({ as: member.browser })
  await ben.clock.install()
  await openLive(ana, `${path}/members`)
  await openLive(ben, `${path}/members`)
  await row(ana, member.person).getByText('Here now').waitFor()

  await show(ben, false)
  await ben.clock.fastForward(61_000)
  await row(ana, member.person).getByText('Here now').waitFor({ state: 'detached' })
  await ana.getByRole('button', { name: `Role of ${member.person.name}: Member` }).click()
  await ana.getByRole('menuitemradio', { name: /^Admin/ }).click()
  await ana.getByText('Role updated').waitFor()

  await show(ben, true)
  await row(ana, member.person).getByText('Here now').waitFor()
  await row(ben, member.person)
    .getByRole('button', { name: /: Admin$/ })
    .waitFor()
})

/** Simulates switching to another tab or back. */
const show = (page: Page, isVisible: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isVisible} })
    document.dispatchEvent(new Event('visibilitychange'))`)

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })
const row = (page: Page, { email }: { email: string }) => page.getByRole('listitem').filter({ hasText: email })

/** Opens a page and waits for its stream. */
async function openLive(page: Page, path: string) {
  await page.goto('about:blank') // so the stream of the previous page is not mistaken for the new one
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === '/live')
  await page.goto(path)
  await stream
}

function watch(page: Page) {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  return requests
}
