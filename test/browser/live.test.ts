import { sql } from 'drizzle-orm'
import type { Page, Request } from 'playwright-core'
import t from 'tap'
import { startAcme } from '../helpers/people.ts'
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
  await ana.getByRole('button', { name: `Actions for ${member.person.name}` }).click()
  await ana.getByRole('menuitemradio', { name: /^Admin/ }).click()
  await ana.getByText('Role updated').waitFor()
  await ben.getByRole('button', { name: 'Invite' }).waitFor()
  await row(ben, member.person).getByRole('cell', { name: 'Admin', exact: true }).waitFor()
  const reloads = requests.filter((request) => request.headers()['x-inertia'])
  t.same(
    reloads.map((request) => request.headers()['x-inertia-partial-data']),
    ['members,invitations,invitation_link'],
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

    await cleo.getByRole('button', { name: /^Actions for/ }).click()
    await cleo.getByRole('menuitem', { name: 'Leave workspace…' }).click()
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
  await row(page, member.person).getByRole('cell', { name: 'Admin', exact: true }).waitFor()
})

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })
const row = (page: Page, { email }: { email: string }) => page.getByRole('row').filter({ hasText: email })

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
