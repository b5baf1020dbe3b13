import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../drizzle/schema.ts'
import { signedUp, startAcme } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { sharedBrowser, skip, startBrowser } from './chromium.ts'
import { enter, signOut, until } from './steps.ts'

t.test('nothing is lost between two sessions', { skip }, async (t) => {
  const started = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  const { app, open } = started
  const { owner } = await startAcme(app)

  await t.test('a link into an account brings a guest to its page after signing in', async (t) => {
    const page = await open()
    await page.goto('/acme/members')
    await page.getByText('Please sign in to continue').waitFor()
    t.equal(await page.locator('.toast, .alert').count(), 0)
    await enter(page, { ...owner.person, password: 'wrong horse battery' })
    await page.getByText('That email or password is incorrect').waitFor()
    await enter(page, owner.person)
    await page.waitForURL('/acme/members')

    await signOut(page)
    t.equal(await page.getByText('Please sign in to continue').count(), 0, 'who leaves is not asked to stay')
  })

  await t.test('a session that ended elsewhere is explained, even in a new document', async (t) => {
    const { page, person } = await interrupted(started, '/settings/profile', 'Save')
    t.equal(await page.getByLabel('Email').inputValue(), person.email)
    await page.reload() // and in a new document
    await page.getByText("You've been signed out").waitFor()
    await enter(page, person)
    await page.getByText('Signed in successfully').waitFor()
    t.equal(await page.getByText("You've been signed out").count(), 0)
  })
})

t.test('interruptions lose nothing and are reported', { skip }, async (t) => {
  const smtp = await startSmtp(t)
  const started = await startBrowser(t, smtp.environment)
  const { app, db, open, origin } = started
  await app.jobs.startWorkers()
  const { owner, join } = await startAcme(app)
  await smtp.next()

  await t.test('a form submitted without a session comes back with its input', async () => {
    const { page, person } = await interrupted(started, '/accounts/new', 'Create workspace')
    await enter(page, person)
    await page.waitForURL('/accounts/new')
    await until(() => page.getByLabel('Name', { exact: true }).inputValue(), 'Globex')
  })

  await t.test('another person in the same browser finds none of it', async (t) => {
    const other = await signedUp(app)
    const { page } = await interrupted(started, '/accounts/new', 'Create workspace')
    await enter(page, other.person)
    await page.waitForURL('/accounts/new')
    await page.getByRole('heading', { name: 'New workspace' }).waitFor()
    t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '')
  })

  await t.test('an outdated token is renewed and the form sent again', async () => {
    const page = await open({ expects: [422] })
    await page.goto('/sign_in')
    await page.context().addCookies([{ name: 'XSRF-TOKEN', value: 'stale', url: origin }])
    await enter(page, owner.person)
    await page.getByText('Signed in successfully').waitFor()
  })

  await t.test('a guest without a connection sees a message, which the next success removes', async (t) => {
    const page = await open({ expects: ['offline'] })
    page.on('dialog', (dialog) => t.fail(`a dialog of the browser: ${dialog.message()}`))
    await page.goto('/sign_in')
    await page.context().setOffline(true)
    await page.getByRole('status').getByText('You are offline').waitFor()
    t.equal(await page.getByRole('alert').count(), 0, 'nothing has failed yet')
    await enter(page, owner.person)
    await page.getByRole('alert').getByText("We can't reach the server").waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Signed in successfully').waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
    t.equal(await page.getByText('You are offline').count(), 0)
  })

  await t.test('a guest whose files are gone after a deployment gets the page in a new document', async (t) => {
    const page = await open({ expects: [404] })
    await page.goto('/sign_in')
    let isOld = true
    page.on('request', (request) => {
      if (request.resourceType() === 'document') isOld = false
    })
    await page.route(/\/signed-in-.*\.js$/, (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()))
    await enter(page, owner.person)
    await page.getByText('Signed in successfully').waitFor()
    t.notOk(isOld)
  })

  await t.test('a document whose files are gone is loaded once more by itself, and then says so', async (t) => {
    for (const file of [/\/assets\/main-.*\.js$/, /\/assets\/.*\.css$/]) {
      const page = await open({ expects: [404], hasty: true })
      let documents = 0
      let missing = 1 // documents in a row
      page.on('request', (request) => {
        if (request.resourceType() === 'document') documents++
      })
      await page.route(file, (route) => (documents <= missing ? route.fulfill({ status: 404 }) : route.continue()))
      await page.goto('/sign_in', { waitUntil: 'commit' })
      while (documents < 2) await page.waitForTimeout(20)
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
      t.same([documents, await page.getByRole('alert').count()], [2, 0])

      await page.evaluate('sessionStorage.clear()') // as if a minute had passed
      missing = 99
      await page.goto('/sign_in', { waitUntil: 'commit' })
      await page.getByRole('alert').getByText('This page could not be loaded completely').waitFor()
      t.equal(documents, 4)
    }
  })

  await t.test('what a press needs and is gone after a deployment is reported, with a way out', async () => {
    const page = await open({ expects: [404], as: owner.browser })
    const code = /\/palette-.*\.js$/
    await page.route(code, (route) => route.fulfill({ status: 404 }))
    await page.goto('/acme')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('alert').getByText('This page could not be loaded completely').waitFor()
    await page.unroute(code)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  await t.test('a lost stream is shown, and so is its return, with what has changed meanwhile', async (t) => {
    const { membershipId } = await join('member')
    const page = await open({ expects: ['offline'], as: owner.browser })
    await page.goto('/acme/members')
    const heading = page.getByRole('heading', { name: 'Members' })
    const place = await heading.boundingBox()
    await page.route('**/live?*', (route) => route.abort())
    await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'accounts listener'`)
    await page.getByText('Reconnecting…').waitFor()
    t.equal(await page.locator('[data-lost=true]').count(), 1, 'presence fades')
    t.same(await heading.boundingBox(), place, 'nothing moves')
    await db.execute(sql`update memberships set role = 'admin' where id = ${membershipId}`)
    await page.unroute('**/live?*')
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
    t.equal(await page.locator('[data-lost=true]').count(), 0)
    await page.getByRole('cell', { name: 'Admin', exact: true }).waitFor()
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
})

type Started = Awaited<ReturnType<typeof startBrowser>>

/** Someone whose session ends elsewhere before they submit a form, which shows the sign-in page. */
async function interrupted({ app, open }: Pick<Started, 'app' | 'open'>, path: string, button: string) {
  const { browser, person, user } = await signedUp(app)
  const page = await open({ as: browser })
  await page.goto(path)
  await page.getByLabel('Name', { exact: true }).fill('Globex')
  await app.db.delete(sessions).where(eq(sessions.userId, user.id))
  await page.getByRole('button', { name: button }).click()
  await page.getByText("You've been signed out").waitFor()
  return { page, person }
}
