import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { sharedPerson, signedUp } from '../../helpers/people.ts'

t.test('a session id signed as another cookie gives no access', async (t) => {
  const { app, page } = await sharedPerson(t)
  const thief = await Browser.open(app)
  await thief.request('POST', '/identity/password_reset', {
    body: { email: 'x@example.com', invitation: page.props.auth.session.id },
  })
  const signed = thief.cookies.get('invitation') ?? ''
  t.ok(signed.startsWith(page.props.auth.session.id), 'it is signed')

  thief.cookies.set('session_token', signed)
  t.equal((await thief.visit('/settings/profile')).component, 'auth/sign-in')
})

t.test('under https, all cookies except the readable token are bound to this host', async (t) => {
  const { app } = await startApp(t, { HOST: 'https://app.example.com' })
  const { browser } = await signedUp(app)
  t.same([...browser.cookies.keys()].sort(), [
    'XSRF-TOKEN',
    '__Host-csrf_secret',
    '__Host-device',
    '__Host-session_token',
  ])
  t.equal((await browser.visit('/settings/profile')).component, 'settings/profile')

  const plain = new Browser(app)
  plain.cookies.set('session_token', browser.cookies.get('__Host-session_token') ?? '')
  t.equal(
    (await plain.visit('/settings/profile')).component,
    'auth/sign-in',
    'under the plain name nothing is believed',
  )
})
