import t, { type Test } from 'tap'
import { resetSecondFactor } from '../../features/second-factor/second-factors.ts'
import { startApp } from '../helpers/app.ts'
import { Authenticator, register, signInWith } from '../helpers/authenticator.ts'
import { Browser } from '../helpers/browser.ts'
import { password, signedIn, verifiedUp } from '../helpers/people.ts'
import { recorded } from '../helpers/records.ts'
import { enable, methodOf, withSecondFactor } from '../helpers/second-factors.ts'

const { app, clock, db } = await startApp(t)

/** How the sessions of this person began, oldest first, as their page and their export tell it. */
async function methods(t: Test, browser: Browser): Promise<string[]> {
  const { sessions } = (await browser.visit('/settings/sessions')).props
  const shown = sessions.map(({ method }: { method: string }) => method)
  const body = { password_challenge: password }
  const exported = (await browser.request('POST', '/settings/export', { body })).json()
  t.same(
    exported.sessions.map(({ method }: { method: string }) => method),
    shown,
  )
  return shown.reverse()
}

t.test('a session and its activity tell how it began', async (t) => {
  const { browser, user, code, recoveryCodes, halfway } = await withSecondFactor({ app, clock })
  const authenticator = new Authenticator()
  await register(browser, authenticator)
  await (await halfway()).submit(await code())
  await (await halfway()).submit(recoveryCodes[0])
  const guest = await Browser.open(app)
  await signInWith(guest, authenticator)
  const signedIns = ['password_and_code', 'password_and_recovery_code', 'passkey']
  t.same(await methods(t, browser), ['password_and_code', ...signedIns], 'the set-up and the sign-ins')

  const second = await verifiedUp(app)
  await signedIn(app, second.person)
  t.same(await methods(t, second.browser), ['password', 'password'])

  const signIns = (await recorded(db)).filter(({ type }) => type === 'signed_in')
  const told = (userId: number) => signIns.filter((row) => row.userId === userId).map(({ details }) => details)
  t.same(
    told(user.id),
    signedIns.map((method) => ({ method })),
  )
  t.same(told(second.user.id), [{ method: 'password' }])
  const { activities } = (await guest.visit('/settings/activity')).props
  t.match(activities[1], { type: 'signed_in', details: { method: 'passkey' } }, 'after the export')
})

t.test('the session in which a factor is set up has a second factor until the last one is removed', async (t) => {
  const { browser, person } = await verifiedUp(app)
  const other = await signedIn(app, person)
  const authenticator = new Authenticator()
  const [{ id }] = (await register(browser, authenticator)).props.passkeys
  t.equal(await methodOf(browser), 'passkey')
  t.equal(await methodOf(other.browser), 'password', 'and no other one does')

  await enable(browser, { clock })
  t.equal(await methodOf(browser), 'passkey', 'a second one changes nothing')
  const guest = await Browser.open(app)
  await signInWith(guest, authenticator)

  await browser.submit('DELETE', `/settings/passkeys/${id}`, { password_challenge: password })
  t.equal(await methodOf(browser), 'passkey', 'nor does the removal of one of two')
  await resetSecondFactor(app, person.email)
  t.equal(await methodOf(browser), 'password')
  t.equal(await methodOf(guest), 'password')

  await register(guest)
  t.equal(await methodOf(guest), 'passkey')
  t.equal(await methodOf(browser), 'password', 'what is added later vouches for no older session')
})
