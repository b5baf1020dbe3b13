import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { mintLink } from '../../features/identity/links.ts'
import { isPassword } from '../../plugins/security/digests.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password, signedIn, verifiedUp } from '../helpers/people.ts'

const { app, db, clock } = await startApp(t)

async function withoutPassword() {
  const someone = await verifiedUp(app)
  const [user] = await db.update(users).set({ passwordDigest: null }).where(eq(users.id, someone.user.id)).returning()
  if (!user) throw new Error('the user is gone')
  return { ...someone, row: user }
}

t.test('no password signs in a user who has none, and the response is that of a wrong one', async (t) => {
  const { person } = await withoutPassword()
  for (const given of [password, '', 'null']) {
    const { page } = await signedIn(app, { email: person.email, password: given })
    t.equal(page.component, 'auth/sign-in')
    t.same(page.flash, { alert: 'That email or password is incorrect' })
  }
  t.equal(await isPassword(password, null), false, 'which is as slow, since a digest is verified')
})

t.test('no current password proves that a person without one is still there', async (t) => {
  const { browser } = await withoutPassword()
  clock.forward({ minutes: 10 })
  const page = await browser.submit('PATCH', '/settings/email', {
    email: 'elsewhere@example.com',
    password_challenge: password,
  })
  t.same(page.props.errors, { password_challenge: ['is invalid'] })
})

t.test('a reset mail sets a first password, and its link works once', async (t) => {
  const { row, person } = await withoutPassword()
  const sid = mintLink(app.tokens, 'password_reset', row)
  const fresh = 'the very first password'
  const body = { sid, password: fresh, password_confirmation: fresh }
  const browser = await Browser.open(app)
  const page = await browser.submit('PATCH', '/identity/password_reset', body)
  t.same(page.flash, { notice: 'Your password was reset successfully. Please sign in' })
  t.equal((await signedIn(app, { email: person.email, password: fresh })).page.component, 'accounts/show')
  const again = await browser.submit('PATCH', '/identity/password_reset', body)
  t.same(again.flash, { alert: 'That password reset link is invalid' })
})
