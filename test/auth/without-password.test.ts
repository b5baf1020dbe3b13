import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { users } from '../../drizzle/schema.ts'
import { isPassword } from '../../plugins/security/digests.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { changeEmail, password, sidOf, signedIn, verifiedUp } from '../helpers/people.ts'

async function startWithoutPassword(t: Test) {
  const started = await sharedApp(t)
  const someone = await verifiedUp(started.app)
  await started.db.update(users).set({ passwordDigest: null }).where(eq(users.id, someone.user.id))
  return { ...started, ...someone }
}

t.test('no password signs in or reauthenticates who has none; for five minutes their new session does', async (t) => {
  const { app, clock, browser, person } = await startWithoutPassword(t)
  for (const given of [password, '', 'null']) {
    const { page } = await signedIn(app, { email: person.email, password: given })
    t.equal(page.component, 'auth/sign-in')
    t.same(page.flash, { alert: 'That email or password is incorrect' })
  }
  t.equal(await isPassword(password, null), false, 'which is as slow, since a digest is verified')

  const justBegan = async () => (await browser.visit('/settings/email')).props.without_password
  t.same(await justBegan(), { recent: true })
  clock.forward({ minutes: 5 })
  t.same(await justBegan(), { recent: false })
  const { errors } = (await changeEmail({ browser }, 'elsewhere@example.com')).props
  t.same(errors, { password_challenge: ['is invalid'] })
})

t.test('a reset mail sets a first password, and its link works once', async (t) => {
  const { app, person, user } = await startWithoutPassword(t)
  const sid = await sidOf(app, 'password_reset', user.id)
  const fresh = 'the very first password'
  const body = { sid, password: fresh, password_confirmation: fresh }
  const browser = await Browser.open(app)
  const reset = async () => (await browser.submit('PATCH', '/identity/password_reset', body)).flash
  t.same(await reset(), { notice: 'Your password was reset successfully. Please sign in' })
  t.equal((await signedIn(app, { email: person.email, password: fresh })).page.component, 'accounts/show')
  t.same(await reset(), { alert: 'That password reset link is invalid' })
})
