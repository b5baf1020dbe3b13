import { desc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import t from 'tap'
import { invitations, memberships, users } from '../../drizzle/schema.ts'
import { startAcme, tokenOf } from '../helpers/accounts.ts'
import { startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { password, signedUp } from '../helpers/people.ts'
import { linkIn, startSmtp } from '../helpers/smtp.ts'
import { violations, violationsIn } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'

const { app, db, open } = await startBrowser(t)

t.test('a person joins by invitation and is removed again', { skip }, async (t) => {
  const smtp = await startSmtp(t)
  const { app, open } = await startBrowser(t, { SSR_ENABLED: 'true', ...smtp.environment })
  const { owner } = await startAcme(app)
  const ana = await open({ as: owner.browser })
  await ana.goto('/acme')
  t.equal(
    await ana
      .locator('dt', { hasText: /^Address$/ })
      .locator('+ dd')
      .innerText(),
    '/acme',
  )
  await tab(ana, 'Members').click()
  await ana.waitForURL('/acme/members')

  await ana.getByRole('button', { name: 'Invite' }).click()
  await ana.getByLabel('Emails').fill(`${owner.person.email},  Ben@Example.com`)
  await ana.getByRole('button', { name: 'Send invitations' }).click()
  await ana.getByText(`${owner.person.email}: This is your own address`).waitFor()
  await ana.getByText('Invitation sent to ben@example.com').waitFor()
  t.equal(await ana.getByLabel('Emails').inputValue(), owner.person.email, 'what was refused is there to be mended')
  await ana.getByRole('button', { name: 'Cancel' }).click()
  await ana.getByRole('button', { name: 'Revoke the invitation for ben@example.com' }).waitFor()

  await app.jobs.work()
  const mail = await mailTo(smtp, 'ben@example.com')
  const ben = await open()
  await ben.goto(linkIn(mail))
  await ben.getByRole('heading', { name: `${owner.person.name} invited you to Acme` }).waitFor()

  // The invitation survives every detour.
  await ben.getByRole('link', { name: 'Sign in', exact: true }).click()
  await ben.getByRole('link', { name: 'Forgot your password?' }).click()
  await ben.getByRole('link', { name: 'Sign in', exact: true }).click()
  await ben.getByRole('link', { name: 'Sign up' }).click()
  await ben.getByRole('heading', { name: 'Sign up' }).waitFor()
  t.equal(await ben.getByText('Join Acme').count(), 1)
  t.equal(await ben.getByLabel('Email').inputValue(), 'ben@example.com')
  await ben.getByLabel('Name', { exact: true }).fill('Ben')
  await ben.getByLabel('Password', { exact: true }).fill(password)
  await ben.getByRole('button', { name: 'Sign up' }).click()
  await ben.getByText('Password confirmation is missing').waitFor()
  await ben.getByLabel('Password confirmation').fill(password)
  await ben.getByRole('button', { name: 'Sign up' }).click()
  await ben.waitForURL('/acme')
  await ben.getByText('Welcome! You have signed up successfully').waitFor()

  await tab(ben, 'Members').click()
  await row(ben, 'ben@example.com').getByText('You', { exact: true }).waitFor()
  t.equal(await ben.getByRole('button', { name: /^(Role of|Remove|Invite)/ }).count(), 0, 'a member manages nobody')
  await tab(ben, 'Settings').click()
  await ben.getByText('Its owners and admins can change it').waitFor()
  t.equal(await ben.locator('form').count(), 0)

  await ana.reload()
  await ana.getByRole('button', { name: 'Role of Ben: Member' }).click()
  await ana.getByRole('menuitemradio', { name: /^Admin/ }).click()
  await ana.getByText('Role updated').waitFor()
  await ana.getByRole('button', { name: 'Role of Ben: Admin' }).waitFor()

  await tab(ben, 'Members').click()
  await ben.getByRole('button', { name: 'Invite' }).waitFor()
  t.equal(await row(ben, owner.person.email).getByRole('button').count(), 0, 'an admin cannot touch an owner')

  await ana.getByRole('button', { name: 'Remove Ben' }).click()
  await ana.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await ana.getByText('Member removed').waitFor()
  await row(ana, 'ben@example.com').waitFor({ state: 'detached' })
  t.equal((await ben.request.get('/acme')).status(), 404)
  t.equal((await ben.request.get('/acme/members')).status(), 404)
})

t.test('an invitation for another address is accepted after signing out and in again', { skip }, async (t) => {
  const { owner, path } = await startAcme(app)
  const [cleo, ben] = [await signedUp(app), await signedUp(app)]
  const page = await open({ as: cleo.browser })
  const token = await invited(app, owner.browser, path, ben.person.email)

  await page.goto(`/invitations/${token}`)
  await page.getByText(`It's for ${ben.person.email}, but you're signed in as ${cleo.person.email}`).waitFor()
  t.equal(await page.getByRole('button', { name: 'Accept invitation' }).count(), 0)
  await page.getByRole('button', { name: 'Sign out' }).click()

  await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByText('Join Acme').waitFor()
  await page.getByLabel('Email').fill(ben.person.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong horse battery')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('That email or password is incorrect').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await page.waitForURL(path)
  await page.getByText('Welcome to Acme').waitFor()
})

t.test('with sign-up by invitation only, an invitation allows it', { skip }, async (t) => {
  const { app, url } = await startApp(t)
  const { owner, path } = await startAcme(app)
  const token = await invited(app, owner.browser, path, 'ben@example.com')
  const { open } = await startBrowser(t, { SIGN_UP: 'invitation_only', DATABASE_URL: url })
  const page = await open()

  await page.goto('/sign_in')
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  t.equal(await page.getByRole('link', { name: 'Sign up' }).count(), 0)
  await page.goto(`/sign_in?invitation=${token}`)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByText('Join Acme').waitFor()
})

t.test('an invitation that has expired says so, and can be sent again or revoked', { skip }, async (t) => {
  const { owner, path } = await startAcme(app)
  const token = await invited(app, owner.browser, path, 'ben@example.com')
  await db.update(invitations).set({ expiresAt: new Date('2026-01-01') })

  const ben = await open()
  await ben.goto(`/invitations/${token}`)
  await ben.getByText('This invitation has expired').waitFor()
  t.equal(await ben.getByRole('link', { name: 'Sign up' }).count(), 0)

  const ana = await open({ as: owner.browser })
  await ana.goto(`${path}/members`)
  await ana.getByText('Expired', { exact: true }).waitFor()
  await ana.getByRole('button', { name: 'Send again to ben@example.com' }).click()
  await ana.getByText('Invitation sent to ben@example.com').waitFor()
  await ana.getByText('Expired', { exact: true }).waitFor({ state: 'detached' })

  await ana.getByRole('button', { name: 'Revoke the invitation for ben@example.com' }).click()
  await ana.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await ana.getByText('Invitation revoked').waitFor()
  await ana.getByText('No pending invitations').waitFor()
})

t.test('members leave, but the last owner stays', { skip }, async (t) => {
  const { owner, join, path } = await startAcme(app)
  const member = await join('member')
  const leave = async (page: Page) => {
    await page.goto(`${path}/members`)
    await page.getByRole('button', { name: 'Leave workspace' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave workspace' }).click()
  }

  const ben = await open({ as: member.browser })
  await leave(ben)
  await ben.getByText('You left Acme').waitFor()
  t.equal(new URL(ben.url()).pathname, `/${member.slug}`)
  t.equal((await ben.request.get(path)).status(), 404)

  const ana = await open({ as: owner.browser })
  await ana.goto(`${path}/members`)
  const own = row(ana, owner.person.email)
  t.equal(await own.getByRole('button', { name: 'Leave workspace' }).isDisabled(), true)
  await own.getByText("you're the only owner").waitFor()
})

t.test('an account is renamed, and deleted with the password', { skip }, async (t) => {
  const { owner, path } = await startAcme(app)
  const page = await open({ as: owner.browser })
  await page.goto(`${path}/settings`)
  await page.getByLabel('Name', { exact: true }).fill('Acme & Sons')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  await page.getByRole('button', { name: 'Workspace: Acme & Sons' }).waitFor()

  const dialog = page.getByRole('alertdialog')
  await page.getByRole('button', { name: 'Delete workspace' }).click()
  await dialog.getByLabel('Current password').fill('wrong horse battery')
  await dialog.getByRole('button', { name: 'Delete workspace' }).click()
  await dialog.getByText('That is not your current password').waitFor()

  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Delete workspace' }).click()
  await page.waitForURL(`/${owner.slug}`)
  await page.getByText('Workspace deleted').waitFor()
  await page.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name: 'New workspace' }).waitFor()
  t.equal(await page.getByRole('menuitem', { name: 'Acme' }).count(), 0)
})

t.test('a long member list grows in place, and stays loaded when it changes', { skip }, async (t) => {
  const { owner, account, path } = await startAcme(app)
  await crowd(app, account.id, 60)
  const page = await open({ as: owner.browser })
  await page.goto(`${path}/members`)
  const rows = page.getByRole('region', { name: 'Members' }).getByRole('listitem')
  await rows.first().waitFor()
  t.equal(await rows.count(), 50)

  await page.getByRole('button', { name: 'Load more' }).press('Enter')
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  t.equal(await rows.count(), 61)
  t.equal(new URL(page.url()).search, '')
  await rows.nth(50).and(page.locator(':focus')).waitFor() // the focus moves to the first new row

  await page.getByRole('button', { name: 'Role of Member 60' }).click()
  await page.getByRole('menuitemradio', { name: /^Owner/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make owner' }).click()
  await page.getByRole('button', { name: 'Role of Member 60: Owner' }).waitFor()
  t.equal(await rows.count(), 61)
  await page.getByRole('button', { name: 'Remove Member 59' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await row(page, 'member-59@example.com').waitFor({ state: 'detached' })
  t.equal(await rows.count(), 60)
})

t.test('a long list of invitations grows in place, and stays loaded when one is revoked', { skip }, async (t) => {
  const { owner, account, path } = await startAcme(app)
  const expiresAt = new Date(Date.now() + 86_400_000)
  const guests = Array.from({ length: 60 }, (_, index) => ({ email: `guest-${index + 1}@example.com` }))
  await db
    .insert(invitations)
    .values(guests.map((guest) => ({ ...guest, accountId: account.id, role: 'member' as const, expiresAt })))
  const page = await open({ as: owner.browser })
  await page.goto(`${path}/members`)
  const list = page.getByRole('region', { name: 'Invitations' })
  const rows = list.getByRole('listitem')
  await rows.first().getByText('guest-60@example.com').first().waitFor()
  t.equal(await rows.count(), 50)

  await list.getByRole('button', { name: 'Load more' }).press('Enter')
  await list.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  t.equal(await rows.count(), 60)
  await rows.nth(50).and(page.locator(':focus')).waitFor()
  t.equal(new URL(page.url()).search, '')

  await page.getByRole('button', { name: 'Revoke the invitation for guest-3@example.com' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await rows.filter({ hasText: 'guest-3@example.com' }).waitFor({ state: 'detached' })
  t.equal(await rows.count(), 59)
  await page.getByRole('button', { name: 'Send again to guest-2@example.com' }).click()
  await page.getByText('Invitation sent to guest-2@example.com').first().waitFor()
  t.equal(await rows.count(), 59)
})

t.test('the pages of an account are accessible, in light and dark mode', { skip }, async (t) => {
  const { owner, path } = await startAcme(app)
  const token = await invited(app, owner.browser, path, 'ben@example.com')
  const guest = await open()
  await guest.goto(`/invitations/${token}`)
  t.same(await violations(guest), [], 'an invitation')

  const page = await open({ viewport: { width: 360, height: 740 }, as: owner.browser })
  for (const place of [path, `${path}/members`, `${path}/settings`, `/invitations/${token}`]) {
    await page.goto(place)
    t.same(await violationsIn(page), [], place)
    t.notOk(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), `${place} fits`)
  }
})

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })
const row = (page: Page, email: string) =>
  page.getByRole('region', { name: 'Members' }).getByRole('listitem').filter({ hasText: email })

/** Has the owner of Acme invite an address, and returns the token of the mail. */
async function invited(app: FastifyInstance, owner: Browser, path: string, email: string) {
  await owner.submit('POST', `${path}/invitations`, { email, role: 'member' })
  const [invitation] = await app.db
    .select()
    .from(invitations)
    .where(eq(invitations.email, email))
    .orderBy(desc(invitations.id))
  return tokenOf(app, invitation?.id ?? 0)
}

async function mailTo(smtp: Awaited<ReturnType<typeof startSmtp>>, recipient: string) {
  for (;;) {
    const mail = await smtp.next()
    if (mail.recipient === recipient) return mail
  }
}

/** Adds members who have never signed in. */
async function crowd(app: FastifyInstance, accountId: number, size: number) {
  const people = Array.from({ length: size }, (_, index) => ({
    name: `Member ${index + 1}`,
    email: `member-${index + 1}@example.com`,
    passwordDigest: 'none',
  }))
  const rows = await app.db.insert(users).values(people).returning({ userId: users.id })
  await app.db.insert(memberships).values(rows.map(({ userId }) => ({ accountId, userId, role: 'member' as const })))
}
