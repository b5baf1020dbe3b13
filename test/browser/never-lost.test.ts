import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import t from 'tap'
import { invitations, sessions, users } from '../../drizzle/schema.ts'
import { startAcme, tokenOf } from '../helpers/accounts.ts'
import { password, signedIn, signedUp } from '../helpers/people.ts'
import { linkIn, startSmtp } from '../helpers/smtp.ts'
import { skip, startBrowser } from './chromium.ts'
import { enter, fill, signOut } from './steps.ts'

for (const ssr of ['false', 'true']) {
  t.test(`nothing is lost between two sessions, with SSR_ENABLED=${ssr}`, { skip }, async (t) => {
    const { app, open } = await startBrowser(t, { SSR_ENABLED: ssr })
    const { owner } = await startAcme(app)

    await t.test('a link into an account brings a guest to its page after signing in', async (t) => {
      const page = await open()
      await page.goto('/acme/members')
      await page.getByText('Please sign in to continue').waitFor()
      t.equal(await page.locator('.toast, .alert').count(), 0)
      await fill(page, { Email: owner.person.email, Password: 'wrong horse battery' })
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('That email or password is incorrect').waitFor()
      await enter(page, owner.person)
      await page.waitForURL('/acme/members')

      await signOut(page)
      t.equal(await page.getByText('Please sign in to continue').count(), 0, 'who leaves is not asked to stay')
    })

    await t.test('a session that ended elsewhere is explained, even in a new document', async (t) => {
      const ana = await signedUp(app)
      const page = await open({ as: ana.browser })
      await page.goto('/settings/profile')
      await page.getByLabel('Name', { exact: true }).fill('Half a na')
      await endSessions(app, ana.user.id)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText("You've been signed out").waitFor()
      t.equal(await page.getByLabel('Email').inputValue(), ana.person.email)
      await page.reload() // and in a new document
      await page.getByText("You've been signed out").waitFor()
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('Signed in successfully').waitFor()
      t.equal(await page.getByText("You've been signed out").count(), 0)
    })
  })
}

t.test('nothing is lost, and nothing fails silently', { skip }, async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, open, origin } = await startBrowser(t, smtp.environment)
  await app.jobs.work()
  const { owner } = await startAcme(app)
  await smtp.next()

  await t.test('a form submitted without a session comes back with its input', async () => {
    const ana = await signedUp(app)
    const page = await open({ as: ana.browser })
    await page.goto('/accounts/new')
    await page.getByLabel('Name', { exact: true }).fill('Globex')
    await endSessions(app, ana.user.id)
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByText("You've been signed out").waitFor()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('/accounts/new')
    await until(() => page.getByLabel('Name', { exact: true }).inputValue(), 'Globex')
  })

  await t.test('another person in the same browser finds none of it', async (t) => {
    const other = await signedUp(app)
    const ana = await signedUp(app)
    const page = await open({ as: ana.browser })
    await page.goto('/accounts/new')
    await page.getByLabel('Name', { exact: true }).fill('Globex')
    await endSessions(app, ana.user.id)
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByText("You've been signed out").waitFor()
    await enter(page, other.person)
    await page.waitForURL('/accounts/new')
    await page.getByRole('heading', { name: 'New workspace' }).waitFor()
    t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '')
  })

  await t.test('an invitation explains itself, fixes its address, and redirects people who have used it', async (t) => {
    await owner.browser.submit('POST', '/acme/invitations', { email: 'ben@example.com', role: 'admin' })
    const [invitation] = await db.select().from(invitations).where(eq(invitations.email, 'ben@example.com'))
    const token = await tokenOf(app, invitation?.id ?? 0)
    const page = await open()
    await page.goto(`/invitations/${token}`)
    await page.getByText('Admin: you manage the workspace').waitFor()
    await page.getByText('Valid until').waitFor()
    await page.getByRole('link', { name: 'Sign up' }).click()
    const email = page.getByLabel('Email')
    t.equal(await email.inputValue(), 'ben@example.com')
    t.equal(await email.isEditable(), false)
    await page.getByRole('button', { name: 'Use another address' }).click()
    await page.getByText("With another address, you won't join Acme").waitFor()
    await email.fill('ben@example.com')
    await fill(page, { Name: 'Ben', Password: password, 'Password confirmation': password })
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.waitForURL('/acme')
    await page.goto(`/invitations/${token}`)
    await page.waitForURL('/acme')

    await signOut(page)
    await page.goto(`/invitations/${token}`)
    await page.getByRole('link', { name: 'Sign in if you already accepted it' }).click()
    await enter(page, { email: 'ben@example.com' })
    await page.waitForURL('/acme')
  })

  await t.test('accepting an invitation by its mail verifies the address', async (t) => {
    const cleo = await signedUp(app)
    await owner.browser.submit('POST', '/acme/invitations', { email: cleo.person.email, role: 'member' })
    const [invitation] = await db.select().from(invitations).where(eq(invitations.email, cleo.person.email))
    await cleo.browser.submit('POST', `/invitations/${await tokenOf(app, invitation?.id ?? 0)}/accept`)
    const [user] = await db.select().from(users).where(eq(users.email, cleo.person.email))
    t.ok(user?.verified)
  })

  await t.test('a used verification link tells a verified user that all is well', async () => {
    const dana = await signedUp(app, { email: 'dana@example.com' })
    let mail = await smtp.next()
    while (mail.recipient !== 'dana@example.com') mail = await smtp.next()
    const page = await open({ as: dana.browser })
    await page.goto(linkIn(mail))
    await page.getByText('Thank you for verifying').waitFor()
    await page.goto(linkIn(mail))
    await page.getByText('Your email is already verified').waitFor()
  })

  await t.test('the typed address carries over to the forgotten password page, whose message stays', async (t) => {
    const page = await open()
    await page.goto('/sign_in')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.waitForURL('/identity/password_reset/new')
    t.equal(await page.getByLabel('Email').inputValue(), 'nobody@example.com')
    await page.getByRole('button', { name: 'Send reset instructions' }).click()
    const panel = page.getByRole('region', { name: 'Check your email' })
    await panel.getByText('nobody@example.com').waitFor()
    await page.reload()
    await panel.getByText('nobody@example.com').waitFor()
    const again = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/password_reset'),
    )
    await panel.getByRole('button', { name: 'Send it again' }).click()
    t.same((await again).postDataJSON(), { email: 'nobody@example.com' })
    await page.locator('.toast', { hasText: 'If that email belongs' }).waitFor()
  })

  await t.test('an outdated token is renewed and the form sent again', async () => {
    const page = await open({ expects: [422] })
    await page.goto('/sign_in')
    await fill(page, { Email: owner.person.email, Password: password })
    await page.context().addCookies([{ name: 'XSRF-TOKEN', value: 'stale', url: origin }])
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Signed in successfully').waitFor()
  })

  await t.test('a guest without a connection sees a message, which the next success removes', async (t) => {
    const page = await open({ expects: ['offline'] })
    page.on('dialog', (dialog) => t.fail(`a dialog of the browser: ${dialog.message()}`))
    await page.goto('/sign_in')
    await fill(page, { Email: owner.person.email, Password: password })
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText("We can't reach the server").waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Signed in successfully').waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
  })

  await t.test('a guest whose files are gone after a deployment gets the page in a new document', async (t) => {
    const page = await open({ expects: [404] })
    await page.goto('/sign_in')
    await page.evaluate('window.isOld = true')
    await page.route(/\/signed-in-.*\.js$/, (route) => route.fulfill({ status: 404 }), { times: 2 })
    await enter(page, owner.person)
    await page.getByRole('button', { name: /^Menu of/ }).waitFor()
    t.notOk(await page.evaluate('window.isOld'))
  })

  await t.test('a lost stream says so, and that it is back', async (t) => {
    const page = await open({ expects: ['offline'], as: owner.browser })
    await page.goto('/acme/members')
    await page.getByRole('heading', { name: 'Members' }).waitFor()
    await page.route('**/live?*', (route) => route.abort())
    await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'accounts listener'`)
    await page.getByText('Reconnecting…').waitFor()
    t.equal(await page.locator('[data-lost=true]').count(), 1, 'presence fades')
    await page.unroute('**/live?*')
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
    t.equal(await page.locator('[data-lost=true]').count(), 0)
  })

  await t.test('input survives going back', async () => {
    const page = await open({ as: owner.browser })
    await page.goto('/accounts/new')
    await page.getByLabel('Name', { exact: true }).fill('Initech')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('navigation', { name: 'Workspace' }).waitFor()
    await page.goBack()
    await until(() => page.getByLabel('Name', { exact: true }).inputValue(), 'Initech')
  })

  await t.test('a page that was still loading does not follow a person who goes back', async (t) => {
    const page = await open({ as: owner.browser })
    await page.goto('/accounts/new')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'Acme' }).waitFor()
    const { asked, release } = await hold(page, '/acme/members')
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Members' }).click()
    await asked
    await page.goBack()
    await page.getByRole('heading', { name: 'New workspace' }).waitFor()
    release()
    await page.waitForLoadState('networkidle')
    t.ok(await page.getByRole('heading', { name: 'New workspace' }).isVisible())
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'Acme' }).waitFor()
    t.same(await lastEntries(page, 2), ['/accounts/new', '/acme'])
  })

  await t.test('a page that is still loading is shown, even if a dialog closes meanwhile', async () => {
    const page = await open({ as: owner.browser })
    await page.goto('/settings/profile')
    const { asked, release } = await hold(page, '/settings/email')
    await page.getByRole('link', { name: 'Email' }).click()
    await asked
    await page.getByRole('button', { name: 'Delete your account' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    release()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Email', exact: true }).waitFor()
  })

  await t.test('a message never covers the button of a form', async (t) => {
    const { browser } = await signedIn(app, owner.person)
    const page = await open({ as: browser, viewport: { width: 800, height: 500 } })
    await page.goto('/acme')
    await signOut(page)
    await page.locator('.toast', { hasText: 'You are signed out' }).waitFor()
    t.ok(await page.evaluate(isSubmitOnTop))
  })

  await t.test('after a sign-out, going back shows no old page and no old address', async (t) => {
    const page = await open({ as: (await signedIn(app, owner.person)).browser })
    await page.goto('/acme/members')
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Settings' }).click()
    await page.waitForURL('/acme/settings')
    await signOut(page)
    await page.goBack()
    await page.waitForURL('/sign_in')
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    t.equal(await page.getByText('Acme', { exact: true }).count(), 0)
  })
})

const isSubmitOnTop = `(() => {
  const button = document.querySelector('[type=submit]')
  const { left, top, width, height } = button.getBoundingClientRect()
  return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
})()`

/** The paths of the last entries of the history. */
async function lastEntries(page: Page, count: number) {
  const paths = await page.evaluate<string[]>('navigation.entries().map(({ url }) => new URL(url).pathname)')
  return paths.slice(-count)
}

/** The response of a visit is not delivered until `release` is called. */
async function hold(page: Page, path: string) {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    const response = await route.fetch()
    ask()
    await released
    await route.fulfill({ response }).catch(() => {}) // the visit may be over
  })
  return { asked, release }
}

const endSessions = (app: FastifyInstance, userId: number) => app.db.delete(sessions).where(eq(sessions.userId, userId))

async function until(read: () => Promise<string>, wanted: string) {
  const late = Date.now() + 15_000
  for (let found = await read(); found !== wanted; found = await read()) {
    if (Date.now() > late) throw new Error(`it is still ${found}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
