import t, { type Test } from 'tap'
import { call, createToken } from '../../helpers/api.ts'
import { collectLines, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { password, sidOf, signedIn, signedUp, startAcme, verifiedUp } from '../../helpers/people.ts'

const fresh = 'a fresh password'
const { lines, logTo } = collectLines()
const { app, clock } = await startApp(t, { LOG_LEVEL: 'info' }, { logTo })

/** The security lines logged since the last call. */
const events = () => lines.splice(0).filter(({ kind }) => kind === 'security')

/** Signs up a person, and returns them with a function that compares what an action logs, such as `sign_in right`. */
async function watched(t: Test) {
  const someone = await signedUp(app)
  const says = async (action: Promise<unknown>, ...expected: string[]) => {
    events()
    await action
    const logged = events().map(({ event, outcome, user, limit }) =>
      `${event} ${outcome} ${user ?? limit ?? ''}`.trim(),
    )
    t.equal(logged.join().replaceAll(String(someone.user.id), 'ANA'), expected.join())
  }
  return { ...someone, says }
}

t.test('sign-ins are right, wrong or refused, and a wrong one names the user, if there is one', async (t) => {
  const { person, says } = await watched(t)
  const browser = await Browser.open(app, { ip: '203.0.113.66' })
  const attempt = (email: string) => browser.submit('POST', '/sign_in', { email, password: 'not the password' })
  await says(attempt(person.email), 'sign_in wrong ANA')
  await says(attempt('nobody@example.com'), 'sign_in wrong')
  for (let count = 0; count < 8; count++) await says(attempt(person.email), 'sign_in wrong ANA')
  await says(attempt(person.email), 'sign_in refused sign_in')
})

t.test('challenges are right or wrong; an omitted one is not logged', async (t) => {
  const { browser, says } = await watched(t)
  const change = (challenge: object) =>
    browser.submit('PATCH', '/settings/email', { email: 'new@example.com', ...challenge })
  await says(change({ password_challenge: 'wrong' }), 'challenge wrong ANA')
  await says(change({}))
  await says(change({ password_challenge: password }), 'challenge right ANA')
})

t.test('resets are requested, done, or fail with a bad link', async (t) => {
  const { person, says, user } = await watched(t)
  const browser = await Browser.open(app)
  await says(browser.submit('POST', '/identity/password_reset', { email: person.email }), 'password_reset requested')
  const sid = await sidOf(app, 'password_reset', user.id)
  const reset = { sid, password: fresh, password_confirmation: fresh }
  await says(browser.submit('PATCH', '/identity/password_reset', reset), 'password_reset done ANA')
  await says(browser.visit(`/identity/password_reset/edit?sid=${sid}`), 'password_reset bad_link')
  await says(browser.submit('PATCH', '/identity/password_reset', reset), 'password_reset bad_link')
})

t.test('sessions end individually, with a new password and with their user', async (t) => {
  const { browser, person, says } = await watched(t)
  const { page } = await signedIn(app, person)
  const ended = ['challenge right ANA', 'session ended ANA']
  await says(browser.submit('DELETE', `/sessions/${page.props.auth.session.id}`), 'session ended ANA')
  await says(browser.request('DELETE', '/sessions/nobodys'))
  const change = { password: fresh, password_confirmation: fresh, password_challenge: password }
  await says(browser.submit('PATCH', '/settings/password', change), ...ended)
  await says(browser.submit('DELETE', '/users', { password_challenge: fresh }), ...ended)
})

t.test('denied actions, forged requests and exceeded limits are warnings', async (t) => {
  const { join } = await startAcme(app)
  const { browser, user } = await join('member')
  events()
  await browser.submit('PATCH', '/acme/settings', { name: 'Mine' })
  await browser.send('POST', '/accounts', { body: { name: 'Forged' } })
  for (let count = 0; count < 11; count++) await browser.submit('POST', '/identity/email_verification')
  const logged = events()
  t.equal(logged.length, 3)
  t.match(logged, [
    { level: 40, event: 'action', outcome: 'denied', user: user.id },
    { level: 40, event: 'request', outcome: 'forged' },
    { level: 40, event: 'limit', outcome: 'hit', user: user.id, limit: 'email_verification' },
  ])
})

t.test('wrong, expired and revoked tokens are warnings, at most ten for a client', async (t) => {
  const { browser, user } = await verifiedUp(app)
  const token = await createToken(browser, { days: 7 })
  const wrong = { level: 40, event: 'token', outcome: 'wrong', client: '127.0.0.1' }
  const logged = async (secret: string | undefined) => {
    events()
    t.equal((await call(app, secret, 'GET', '/me')).statusCode, 401)
    return events()
  }
  t.same(await logged(undefined), [], 'without a token, nobody tried one')
  t.match(await logged('acct_mistyped'), [{ ...wrong, user: undefined }])
  clock.forward({ days: 7 })
  t.match(await logged(token), [{ ...wrong, user: user.id }], 'of an expired one, the user is known')
  clock.forward({ days: -7 })
  const [{ id }] = (await browser.visit('/settings/tokens')).props.tokens
  await browser.submit('DELETE', `/settings/tokens/${id}`)
  t.match(await logged(token), [wrong], 'revoked')

  for (let count = 3; count < 10; count++) t.equal((await logged('acct_guess')).length, 1)
  t.same(await logged('acct_guess'), [])
})

t.test('no line contains an email address, a password, a token or a cookie', async (t) => {
  lines.splice(0)
  const { browser, person, user } = await signedUp(app)
  const { page } = await signedIn(app, person)
  await signedIn(app, { email: person.email, password: 'not the password' }).catch(() => {})
  await browser.submit('POST', '/identity/password_reset', { email: person.email })
  const sid = await sidOf(app, 'password_reset', user.id)
  await browser.visit(`/identity/password_reset/edit?x=1;sid=${sid}`)
  await browser.visit(`/identity/password_reset/edit?&amp;sid=${sid}`)
  const session = page.props.auth.session.id
  await browser.send('GET', `//sessions//${session}`)

  const text = JSON.stringify(lines)
  t.ok(lines.length > 10)
  for (const secret of [person.email, password, 'not the password', sid, session, ...browser.cookies.values()])
    t.notOk(text.includes(secret), secret)
})
