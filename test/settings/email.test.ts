import { eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { changeEmail } from '../../features/settings/changes.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { sharedApp } from '../helpers/app.ts'
import { byDigest, password, signedUp } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

const wrong = { password_challenge: ['is invalid'] }

async function startSettings(t: Test) {
  const started = await sharedApp(t)
  const someone = await signedUp(started.app, { email: 'ana@example.com' })
  await forgetMails(started.db)
  const read = async () => (await started.db.select().from(users).where(eq(users.id, someone.user.id)))[0]
  const change = (body: object) => someone.browser.submit('PATCH', '/settings/email', body)
  const session = { userId: someone.user.id, token: someone.page.props.auth.session.id }
  return { ...started, ...someone, session, read, change }
}

t.test('the page is there for users, and redirects guests to sign-in', async (t) => {
  const { app, browser } = await startSettings(t)
  const { Browser } = await import('../helpers/browser.ts')
  for (const name of ['profile', 'password', 'email', 'sessions', 'appearance', 'activity', 'security', 'tokens']) {
    t.equal((await browser.visit(`/settings/${name}`)).component, `settings/${name}`)
    const page = await new Browser(app).visit(`/settings/${name}`)
    t.equal(page.component, 'auth/sign-in')
    t.same(page.flash, {})
  }
})

t.test('a changed address must be verified', async (t) => {
  const { db, change, read, user } = await startSettings(t)
  await db.update(users).set({ verified: true })
  const page = await change({ email: ' New@Example.com ', password_challenge: password })
  t.equal(page.url, '/settings/email')
  t.same(page.flash, { notice: 'Your email has been changed' })
  t.match(page.props.auth.user, { email: 'new@example.com', verified: false })
  t.match(await read(), { email: 'new@example.com', verified: false })

  const [former] = await db.select().from(emailChanges)
  t.equal(former?.previousEmail, 'ana@example.com')
  t.match(await queuedMails(db), [
    { mail: 'email_changed', emailChangeId: former?.id },
    { mail: 'email_verification', userId: user.id },
  ])
})

t.test('an old address that was never verified gets no notice', async (t) => {
  const { db, change, user } = await startSettings(t)
  await change({ email: 'new@example.com', password_challenge: password })
  t.same(await queuedMails(db), [{ mail: 'email_verification', userId: user.id }])
})

t.test('the same address, in any case, is no change', async (t) => {
  const { db, change, read } = await startSettings(t)
  await db.update(users).set({ verified: true })
  for (const email of ['ana@example.com', 'ANA@Example.com ']) {
    const page = await change({ email, password_challenge: password })
    t.equal(page.url, '/settings/email')
    t.same(page.flash, {})
  }
  const page = await change({ password_challenge: password })
  t.same(page.flash, {}, 'nor is an absent one')
  t.equal((await read())?.verified, true)
  t.same(await queuedMails(db), [])
})

t.test('a wrong, null or missing challenge changes nothing', async (t) => {
  const { change, read } = await startSettings(t)
  for (const challenge of [
    { password_challenge: 'wrong' },
    { password_challenge: null },
    {},
    { password_challenge: '' },
  ]) {
    t.same((await change({ email: 'new@example.com', ...challenge })).props.errors, wrong)
  }
  t.same((await change({})).props.errors, wrong, 'not even without an address')
  t.equal((await read())?.email, 'ana@example.com')
})

t.test('an invalid address is rejected', async (t) => {
  const { app, change } = await startSettings(t)
  await signedUp(app, { email: 'bea@example.com' })
  const messages = async (email: string | null) => (await change({ email, password_challenge: password })).props.errors
  t.same(await messages(''), { email: ["can't be blank", 'is invalid'] })
  t.same(await messages(null), { email: ["can't be blank", 'is invalid'] })
  t.same(await messages('nobody'), { email: ['is invalid'] })
  t.same(await messages('Bea@example.com'), { email: ['has already been taken'] })
})

t.test('omitted fields keep their value, empty ones are rejected', async (t) => {
  const { browser, read } = await startSettings(t)
  const send = async (form: Record<string, string>) =>
    browser.follow(
      await browser.send('PATCH', '/settings/email', {
        form: { password_challenge: password, ...form },
        headers: browser.csrfHeader(),
      }),
    )
  t.same((await send({})).flash, {})
  t.same((await send({ email: '' })).props.errors, { email: ["can't be blank", 'is invalid'] })
  t.same((await send({ email: ' New@Example.com' })).flash, { notice: 'Your email has been changed' })
  t.equal((await read())?.email, 'new@example.com')
})

t.test('PUT does what PATCH does', async (t) => {
  const { browser } = await startSettings(t)
  const page = await browser.submit('PUT', '/settings/email', {
    email: 'new@example.com',
    password_challenge: password,
  })
  t.same(page.flash, { notice: 'Your email has been changed' })
})

t.test('precognition reports address and challenge together, changes nothing and counts as an attempt', async (t) => {
  const { app, browser, read, change } = await startSettings(t)
  await signedUp(app, { email: 'bea@example.com' })
  const response = await browser.precognize('PATCH', '/settings/email', {
    email: 'bea@example.com',
    password_challenge: 'wrong',
  })
  t.equal(response.statusCode, 422)
  t.same(response.json(), { errors: { email: ['has already been taken'], ...wrong } })

  const right = { email: 'new@example.com', password_challenge: password }
  t.equal((await browser.precognize('PATCH', '/settings/email', right)).statusCode, 204)
  t.equal((await read())?.email, 'ana@example.com')

  for (let count = 0; count < 8; count++) await browser.precognize('PATCH', '/settings/email', {})
  t.same((await change(right)).flash, { alert: 'Try again later.' })
  t.equal((await read())?.email, 'ana@example.com')
  const other = {
    password: 'a fresh password',
    password_confirmation: 'a fresh password',
    password_challenge: password,
  }
  const page = await browser.submit('PATCH', '/settings/password', other)
  t.same(page.flash, { notice: 'Your password has been changed' }, 'the password has a budget of its own')
})

t.test('a password that changes after the challenge was verified prevents the change', async (t) => {
  const { app, db, user, session, read } = await startSettings(t)
  for (const input of [{ email: 'new@example.com' }, { email: 'ana@example.com' }, {}]) {
    const { email } = { email: user.email, ...input }
    const confirmed = { ...session, reauthentication: byDigest((await read())?.passwordDigest) }
    await db.update(users).set({ passwordDigest: await digestOf(password) })
    t.match(await changeEmail(app, confirmed, email).catch((error) => error), {
      errors: { password_challenge: [{ text: 'is invalid' }] },
    })
  }
  t.equal((await read())?.email, 'ana@example.com')
})

t.test('an address that is taken after the check is rejected', async (t) => {
  const { app, db, session, read } = await startSettings(t)
  const confirmed = { ...session, reauthentication: byDigest((await read())?.passwordDigest) }
  await signedUp(app, { email: 'new@example.com' })
  await forgetMails(db)
  t.match(await changeEmail(app, confirmed, 'new@example.com').catch((error) => error), {
    errors: { email: [{ text: 'has already been taken' }] },
  })
  t.same(await queuedMails(db), [])
  t.equal((await db.execute(sql`select 1 from email_changes`)).rows.length, 0)
})
