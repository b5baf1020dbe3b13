import { desc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import t from 'tap'
import { invitations, memberships, users } from '../../drizzle/schema.ts'
import type { Browser } from '../helpers/browser.ts'
import { password, startAcme, tokenOf } from '../helpers/people.ts'
import { linkIn, startSmtp } from '../helpers/smtp.ts'
import { violations, violationsIn } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'

const { app, open } = await startBrowser(t)

t.test('a person joins by invitation and is removed again', { skip }, async (t) => {
  const smtp = await startSmtp(t)
  const { app, open } = await startBrowser(t, { SSR_ENABLED: 'true', ...smtp.environment })
  const { owner } = await startAcme(app)
  const ana = await open({ as: owner.browser })
  await ana.goto('/acme')
  t.equal(await ana.locator('.heading-lead bdi').innerText(), '/acme')
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
  await row(ben, 'ben@example.com').getByText('you', { exact: true }).waitFor()
  t.equal(await ben.getByRole('button', { name: /^Invite|^Actions for (?!Ben)/ }).count(), 0, 'a member manages nobody')
  await tab(ben, 'Settings').click()
  await ben.getByText('Its owners and admins can change it').waitFor()
  t.equal(await ben.locator('form').count(), 0)

  await ana.reload()
  await ana.getByRole('button', { name: 'Actions for Ben' }).click()
  await ana.getByRole('menuitemradio', { name: /^Admin/ }).click()
  await ana.getByText('Role updated').waitFor()
  await ana.getByRole('row', { name: 'Ben' }).getByRole('cell', { name: 'Admin', exact: true }).waitFor()

  await tab(ben, 'Members').click()
  await ben.getByRole('button', { name: 'Invite' }).waitFor()
  t.equal(await row(ben, owner.person.email).getByRole('button').count(), 0, 'an admin cannot touch an owner')

  await ana.getByRole('button', { name: 'Actions for Ben' }).click()
  await ana.getByRole('menuitem', { name: 'Remove from workspace…' }).click()
  await ana.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await row(ana, 'ben@example.com').waitFor({ state: 'detached' })
  t.equal((await ben.request.get('/acme')).status(), 404)
  t.equal((await ben.request.get('/acme/members')).status(), 404)
})

t.test('a long member list grows in place, and stays loaded when it changes', { skip }, async (t) => {
  const { owner, account, path } = await startAcme(app)
  await crowd(app, account.id, 60)
  const page = await open({ as: owner.browser })
  await page.goto(`${path}/members`)
  const rows = page.getByRole('region', { name: 'Members' }).locator('[data-row]')
  await rows.first().waitFor()
  t.equal(await rows.count(), 50)

  await page.getByRole('button', { name: 'Load more' }).press('Enter')
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  t.equal(await rows.count(), 61)
  t.equal(new URL(page.url()).search, '')
  await rows.nth(50).and(page.locator(':focus')).waitFor() // the focus moves to the first new row

  await page.getByRole('button', { name: 'Actions for Member 60' }).click()
  await page.getByRole('menuitemradio', { name: /^Owner/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make owner' }).click()
  await page.getByRole('row', { name: 'Member 60' }).getByRole('cell', { name: 'Owner', exact: true }).waitFor()
  t.equal(await rows.count(), 61)
  await page.getByRole('button', { name: 'Actions for Member 59' }).click()
  await page.getByRole('menuitem', { name: 'Remove from workspace…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await row(page, 'member-59@example.com').waitFor({ state: 'detached' })
  t.equal(await rows.count(), 60)

  await tab(page, 'Settings').click()
  await page.getByLabel('Name', { exact: true }).waitFor()
  await page.goBack()
  await rows.nth(59).waitFor()
  t.equal(await rows.count(), 60, 'and after going back')
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
  page.getByRole('region', { name: 'Members' }).locator('[data-row]').filter({ hasText: email })

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
