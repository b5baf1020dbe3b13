import t from 'tap'
import { collectLines, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { password, sidOf, signedIn, signedUp, startAcme } from '../../helpers/people.ts'

const fresh = 'a fresh password'
const { lines, logTo } = collectLines()
const { app } = await startApp(t, { LOG_LEVEL: 'info' }, { logTo })

/** The security lines logged since the last call. */
const events = () => lines.splice(0).filter(({ kind }) => kind === 'security')
const happened = () => events().map(({ event, outcome, user }) => [event, outcome, user])

async function logged() {
  const someone = await signedUp(app)
  events()
  return { ...someone, id: someone.user.id }
}

t.test('sign-ins are right, wrong or refused, and a wrong one names the user, if there is one', async (t) => {
  const { person, id } = await logged()
  const browser = await Browser.open(app, { ip: '203.0.113.66' })
  const attempt = (email: string) => browser.submit('POST', '/sign_in', { email, password: 'not the password' })
  await attempt(person.email)
  await attempt('nobody@example.com')
  t.same(happened(), [
    ['sign_in', 'wrong', id],
    ['sign_in', 'wrong', undefined],
  ])
  for (let count = 0; count < 9; count++) await attempt(person.email)
  const refused = events().at(-1)
  t.match(refused, { event: 'sign_in', outcome: 'refused', limit: 'sign_in' })
  t.equal(refused?.user, undefined)
})

t.test('challenges are right or wrong; an omitted one is not logged', async (t) => {
  const { browser, id } = await logged()
  const change = { email: 'new@example.com' }
  await browser.submit('PATCH', '/settings/email', { ...change, password_challenge: 'wrong' })
  await browser.submit('PATCH', '/settings/email', change)
  await browser.submit('PATCH', '/settings/email', { ...change, password_challenge: password })
  t.same(happened(), [
    ['challenge', 'wrong', id],
    ['challenge', 'right', id],
  ])
})

t.test('resets are requested, done, or fail with a bad link', async (t) => {
  const { person, id } = await logged()
  const browser = await Browser.open(app)
  await browser.submit('POST', '/identity/password_reset', { email: person.email })
  const sid = await sidOf(app, 'password_reset', id)
  const reset = { sid, password: fresh, password_confirmation: fresh }
  await browser.submit('PATCH', '/identity/password_reset', reset)
  await browser.visit(`/identity/password_reset/edit?sid=${sid}`)
  await browser.submit('PATCH', '/identity/password_reset', reset)
  t.same(happened(), [
    ['password_reset', 'requested', undefined],
    ['password_reset', 'done', id],
    ['password_reset', 'bad_link', undefined],
    ['password_reset', 'bad_link', undefined],
  ])
})

t.test('sessions end individually, with a new password and with their user', async (t) => {
  const { browser, person, id } = await logged()
  const second = await signedIn(app, person)
  events()
  const ended = ['session', 'ended', id]
  const right = ['challenge', 'right', id]
  await browser.submit('DELETE', `/sessions/${second.page.props.auth.session.id}`)
  t.same(happened(), [ended])
  await browser.request('DELETE', '/sessions/nobodys')
  t.same(happened(), [])
  const change = { password: fresh, password_confirmation: fresh, password_challenge: password }
  await browser.submit('PATCH', '/settings/password', change)
  t.same(happened(), [right, ended])
  await browser.submit('DELETE', '/users', { password_challenge: fresh })
  t.same(happened(), [right, ended])
})

t.test('denied actions, forged requests and exceeded limits are warnings', async (t) => {
  const { join } = await startAcme(app)
  const { browser, user } = await join('member')
  events()
  await browser.submit('PATCH', '/acme/settings', { name: 'Mine' })
  await browser.send('POST', '/accounts', { body: { name: 'Forged' } })
  for (let count = 0; count < 11; count++) await browser.submit('POST', '/identity/email_verification')
  t.match(events(), [
    { level: 40, event: 'action', outcome: 'denied', user: user.id },
    { level: 40, event: 'request', outcome: 'forged' },
    { level: 40, event: 'limit', outcome: 'hit', user: user.id, limit: 'email_verification' },
  ])
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
