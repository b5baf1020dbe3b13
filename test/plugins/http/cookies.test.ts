import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { sharedPerson, signedUp } from '../../helpers/people.ts'

t.test('a session id signed as another cookie gives no access', async (t) => {
  const { app, session } = await sharedPerson(t)
  const thief = await Browser.open(app)
  await thief.request('POST', '/identity/password_reset', { body: { email: 'x@example.com', invitation: session } })
  const signed = thief.cookies.get('invitation') ?? ''
  t.ok(signed.startsWith(session), 'it is signed')

  thief.cookies.set('session_token', signed)
  t.equal((await thief.visit('/settings/profile')).component, 'auth/sign-in')
})

t.test('under https all is upgraded, and all cookies but the readable token are bound to this host', async (t) => {
  const { app } = await startApp(t, { HOST: 'https://app.example.com' })
  const { headers } = await app.inject({ url: '/sign_in' })
  t.match(headers['content-security-policy'], /; upgrade-insecure-requests$/)
  for (const cookie of [headers['set-cookie']].flat()) t.match(cookie, /; Secure/)
  const { browser } = await signedUp(app)
  const bound = ['__Host-csrf_secret', '__Host-device', '__Host-session_token']
  t.same([...browser.cookies.keys()].sort(), ['XSRF-TOKEN', ...bound])
  t.equal((await browser.visit('/settings/profile')).component, 'settings/profile')

  const plain = new Browser(app)
  plain.cookies.set('session_token', browser.cookies.get('__Host-session_token') ?? '')
  const { component } = await plain.visit('/settings/profile')
  t.equal(component, 'auth/sign-in', 'under the plain name nothing is believed')
})
