import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t from 'tap'
import { invitations, memberships, users } from '../../drizzle/schema.ts'
import { startAcme } from '../helpers/accounts.ts'
import { signedIn } from '../helpers/people.ts'
import { violations } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { fill } from './steps.ts'

t.test('messages appear where they belong', { skip }, async (t) => {
  const { app, db, open } = await startBrowser(t)
  const { owner, join, account } = await startAcme(app)
  const member = await join('member')

  await t.test('an empty form reports what is missing, without a request', async (t) => {
    const page = await open()
    await page.goto('/sign_in')
    page.on(
      'request',
      (request) => request.method() === 'POST' && /sign_in$/.test(request.url()) && t.fail('it was sent'),
    )
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Email is missing.').waitFor()
    await page.getByText('Password is missing.').waitFor()
    t.equal(await page.evaluate('document.activeElement.name'), 'email')
    await page.getByLabel('Email').pressSequentially('a')
    t.equal(await page.getByText('Email is missing.').count(), 0, 'forgotten while it is mended')
  })

  await t.test('a rejection appears in its form, with the focus, and says when to come back', async (t) => {
    const page = await open()
    await page.goto('/sign_in')
    await fill(page, { Email: 'nobody@example.com', Password: 'wrong horse battery' })
    const refusal = page.locator('form').getByRole('alert')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await refusal.getByText('That email or password is incorrect').waitFor()
    await page.locator('form .alert:focus').waitFor()
    await page.waitForTimeout(0)
    t.equal(await page.locator('.toast').count(), 0)
    for (let tries = 2; tries <= 10; tries++) await signInByRequest(page, 'nobody@example.com')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await refusal.getByText(/Try again later: in \d minutes?\./).waitFor()
  })

  await t.test('a taken address offers the sign-in', async (t) => {
    const page = await open()
    await page.goto('/sign_up')
    await page.getByLabel('Email').fill(owner.person.email)
    await page.getByLabel('Email').blur()
    await page.getByText('An account with this email already exists.').waitFor()
    await page.getByRole('link', { name: 'Sign in?' }).click()
    await page.waitForURL('/sign_in')
    t.equal(await page.getByLabel('Email').inputValue(), owner.person.email)
  })

  await t.test('a role is changed at once, and can be undone', async (t) => {
    const page = await open({ as: owner.browser })
    await page.goto('/acme/members')
    await page.getByRole('button', { name: `Role of ${member.person.name}: Member` }).click()
    await page.getByRole('menuitemradio', { name: /^Admin/ }).click()
    await page.getByRole('button', { name: `Role of ${member.person.name}: Admin` }).waitFor()
    t.same(await page.evaluate(leftEdges), [1, 1, 1], 'the columns of the list are straight')
    t.same(await page.evaluate(labels), ['Members', 'Invitations'], 'the list comes first')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: `Role of ${member.person.name}: Member` }).waitFor()
    const [row] = await db.select().from(memberships).where(eq(memberships.id, member.membershipId))
    t.equal(row?.role, 'member')
  })

  await t.test('making an owner and stepping down need a confirmation, which the keyboard can cancel', async (t) => {
    const other = await join('owner')
    const page = await open({ as: other.browser })
    await page.goto('/acme/members')
    const own = page.getByRole('button', { name: `Role of ${other.person.name}: Owner` })
    await own.click()
    await page.getByRole('menuitemradio', { name: /^Admin/ }).click()
    await page.getByRole('alertdialog', { name: 'Step down as owner of Acme?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await own.and(page.locator(':focus')).waitFor()

    await own.click()
    await page.getByRole('menuitemradio', { name: /^Admin/ }).click()
    await page.getByRole('button', { name: 'Step down' }).click()
    await page.getByText(`${other.person.name} is an admin now`).waitFor()
    t.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0, 'what an admin cannot take back')
  })

  await t.test('ownership is transferred in words that name both people', async (t) => {
    const giver = await join('owner')
    const taker = await join('member')
    const page = await open({ as: giver.browser })
    await page.goto('/acme/members')
    const role = page.getByRole('button', { name: `Role of ${taker.person.name}: Member` })
    await role.press('Enter')
    await page.getByRole('menuitemradio', { name: /^Member/, checked: true }).waitFor()
    await page.locator('[role^="menuitem"]:focus').waitFor()
    t.match((await page.getByRole('menuitemradio').allInnerTexts()).at(-1), /^Owner/, 'what cannot be undone is last')
    t.same(await violations(page), [])
    await page.getByRole('menuitem', { name: 'Transfer ownership…' }).click()
    const dialog = page.getByRole('alertdialog', { name: `Transfer Acme to ${taker.person.name}?` })
    await dialog.getByText('You become an admin').waitFor()
    t.same(await violations(page), [])
    await dialog.getByRole('button', { name: 'Transfer ownership' }).click()
    await page.getByText('Ownership transferred').waitFor()
    await page.getByRole('button', { name: `Role of ${giver.person.name}: Admin` }).waitFor()
    await page.getByRole('listitem').filter({ hasText: taker.person.email }).getByText('Owner').waitFor()
  })

  await t.test('a server that is away is said in the dialog, until it is back', async (t) => {
    const page = await open({ as: owner.browser, expects: ['offline'] })
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'Delete your account' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Current password', { exact: true }).fill('wrong')
    await page.context().setOffline(true)
    await dialog.getByRole('button', { name: 'Delete your account' }).click()
    await dialog.getByRole('alert').getByText("We can't reach the server").waitFor()
    t.same(await violations(page), [])
    await page.context().setOffline(false)
    await dialog.getByRole('alert').waitFor({ state: 'detached' })
    t.equal(await dialog.getByLabel('Current password', { exact: true }).inputValue(), 'wrong')
  })

  await t.test('several people are invited at once, and each rejection is reported', async (t) => {
    const page = await open({ as: owner.browser })
    await page.goto('/acme/members')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    t.equal(await dialog.getByLabel('Emails').getAttribute('autocomplete'), 'off', 'no browser offers the own address')
    await dialog.getByLabel('Emails').fill(`one@example.com, nobody\n${member.person.email}; two@example.com`)
    await dialog.getByRole('radio', { name: 'Admin' }).check()
    await dialog.getByRole('button', { name: 'Send invitations' }).click()
    await dialog.getByText('nobody: Email is invalid.').waitFor()
    await dialog.getByText(`${member.person.email}: This address already belongs to a member.`).waitFor()
    await page.getByText('2 invitations sent.').waitFor()
    t.equal(await dialog.getByLabel('Emails').inputValue(), `nobody\n${member.person.email}`)
    const sent = await db.select().from(invitations).where(eq(invitations.accountId, account.id))
    t.same(
      sent.map(({ email, role }) => [email, role]),
      [
        ['one@example.com', 'admin'],
        ['two@example.com', 'admin'],
      ],
    )
  })

  await t.test('a list of people to invite outlives its dialog, and an odd address is asked about', async (t) => {
    const page = await open({ as: owner.browser })
    await page.goto('/acme/members')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    await dialog.getByLabel('Emails').fill('zoe@localhost')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Invite' }).click()
    t.equal(await dialog.getByLabel('Emails').inputValue(), 'zoe@localhost')
    await dialog.getByRole('button', { name: 'Send invitations' }).click()
    await dialog.getByText('zoe@localhost: Is the ending missing, such as .com?').waitFor()
    await dialog.getByRole('button', { name: 'Send invitations' }).click()
    await page.getByText('Invitation sent to zoe@localhost.').waitFor()
  })

  await t.test('after a removal the focus is on the next row', async () => {
    const [first, second] = [await join('member'), await join('member')]
    const page = await open({ as: owner.browser })
    await page.goto('/acme/members')
    await page.getByRole('button', { name: `Remove ${first.person.name}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Member removed').waitFor()
    await page.locator('li:focus', { hasText: second.person.email }).waitFor()
  })

  await t.test('members can be searched by name, address and role, and come first on a phone', async (t) => {
    const people = Array.from({ length: 60 }, (_, index) => ({
      name: `Guest ${index}`,
      email: `guest-${index}@example.com`,
      passwordDigest: 'none',
    }))
    const rows = await db.insert(users).values(people).returning({ userId: users.id })
    await db
      .insert(memberships)
      .values(rows.map(({ userId }) => ({ accountId: account.id, userId, role: 'member' as const })))
    const { browser } = await signedIn(app, owner.person)
    const page = await open({ as: browser, viewport: { width: 360, height: 740 } })
    await page.goto('/acme/members')
    const list = page.getByRole('region', { name: 'Members' })
    const box = await list.getByRole('listitem').first().boundingBox()
    t.ok(box && box.y + box.height <= 740, `the first member ends at ${box && box.y + box.height}`)
    t.notOk(await page.evaluate('document.documentElement.scrollWidth > innerWidth'))

    await page.getByLabel('Search by name or email').fill('GUEST-59@')
    await list.getByText('1 found').waitFor()
    await list.getByText('guest-59@example.com').waitFor()
    t.equal(new URL(page.url()).search, '?q=GUEST-59%40')
    await page.reload()
    await list.getByText('1 found').waitFor()
    await page.getByLabel('Search by name or email').fill('')
    await page.getByLabel('Role').selectOption('owner')
    await list.getByText('1 found').waitFor()
    await list.getByText(owner.person.email).waitFor()
    await page.getByLabel('Search by name or email').fill('nobody at all')
    await page.getByText('No members match').waitFor()
  })
})

/** Like the form, without waiting for a page each time. */
async function signInByRequest(page: Page, email: string) {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const headers = { 'x-xsrf-token': token, 'user-agent': await page.evaluate<string>('navigator.userAgent') }
  const data = { email, password: 'wrong horse battery' }
  await page.request.post('/sign_in', { headers, data, maxRedirects: 0 })
}

const labels = `[...document.querySelectorAll('main section')].map((section) => section.getAttribute('aria-label'))`

/** How many different left edges each column has. */
const leftEdges = `['.person-joined', '.person-role', '.person-end'].map((cells) =>
  new Set([...document.querySelectorAll(cells)].map((cell) => Math.round(cell.getBoundingClientRect().left))).size)`
