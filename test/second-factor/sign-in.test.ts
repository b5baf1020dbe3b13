import t from 'tap'
import { verifyCredentials } from '../../features/auth/guesses.ts'
import { beginWithPassword } from '../../features/auth/sign-in.ts'
import { startApp } from '../helpers/app.ts'
import { invite, password, startAcme, verifiedUp } from '../helpers/people.ts'
import { enable, sessionsOf, typed, withSecondFactor, wrongCodeErrors } from '../helpers/second-factor.ts'

const { app, clock, db } = await startApp(t)

t.test('the right password alone only gives access to the code page, and the right code signs in', async (t) => {
  const { halfway, code, slug, user } = await withSecondFactor({ app, clock })
  const { browser, response, prove } = await halfway()
  t.match(response, { statusCode: 302, headers: { location: '/sign_in/verify' } })
  t.notOk(browser.cookies.has('session_token'))
  const cookie = [response.headers['set-cookie']].flat().find((line) => line?.startsWith('pending_sign_in='))
  t.match(cookie, /; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  const asked = await browser.follow(response)
  t.equal(asked.component, 'auth/second-factor')
  t.same(asked.flash, {})
  t.equal(asked.props.auth.user, null)

  const before = browser.csrfHeader()
  const proved = await prove(await code())
  t.match(proved, { statusCode: 302, headers: { location: `/${slug}` } })
  t.ok(browser.cookies.has('session_token'))
  t.notOk(browser.cookies.has('pending_sign_in'))
  t.ok(browser.cookies.has('device'), 'its own tries are counted apart from now on')
  t.not(browser.csrfHeader()['x-xsrf-token'], before['x-xsrf-token'])
  const page = await browser.follow(proved)
  t.same(page.flash, { notice: 'Signed in successfully' })
  t.equal(page.props.auth.user.id, user.id)
  t.equal((await sessionsOf(db, user.id)).length, 2)
})

t.test('redirects to the last-used account, or back to the carried invitation', async (t) => {
  const { owner } = await startAcme(app)
  const { person, browser, code, halfway } = await withSecondFactor({ app, clock })
  await browser.submit('POST', '/accounts', { name: 'Initech' })
  t.equal((await (await halfway()).submit(await code())).url, '/initech')

  const { token } = await invite(app, owner, '/acme', person.email)
  clock.forward({ seconds: 30 })
  const invited = await halfway({ invitation: token })
  t.same((await invited.submit('000000')).url, '/sign_in/verify')
  t.equal((await invited.submit(await code())).url, `/invitations/${token}`)

  const late = await halfway({ invitation: token })
  clock.forward({ minutes: 10 })
  t.equal((await late.submit(await code())).url, `/sign_in?invitation=${token}`, 'carried through a start over, too')
})

t.test('a code may have spaces and any digits, a recovery code spaces, dashes and any case', async (t) => {
  const { halfway, code, recoveryCodes: codes } = await withSecondFactor({ app, clock })
  const digits = await code()
  const [first = '', second = '', third = ''] = codes
  const grouped = (second.match(/.{4}/g) ?? []).join('-')
  const codesTyped = [first.toLowerCase(), ` ${grouped.toLowerCase()}\n`, third.split('').join(' ')]
  for (const given of [typed(digits), ...codesTyped]) {
    t.equal((await (await halfway()).submit(given)).component, 'accounts/show', given)
  }
})

t.test('a wrong code is reported, and does not use up a right one', async (t) => {
  const { halfway, code, wrong: other } = await withSecondFactor({ app, clock })
  const { browser, prove } = await halfway()
  for (const given of [await other(), '', '12345', '1234567', 'x'.repeat(24), null, undefined, '\0']) {
    const response = await prove(given)
    t.equal(response.headers.location, '/sign_in/verify')
    t.same((await browser.follow(response)).props.errors, wrongCodeErrors, String(given))
    clock.forward({ seconds: 1 })
  }
  t.notOk(browser.cookies.has('session_token'))
  t.equal((await browser.follow(await prove(await code()))).component, 'accounts/show')
})

t.test('a factor enabled during a password check is required', async (t) => {
  const { browser, person, user } = await verifiedUp(app)
  const { authenticated } = await verifyCredentials(db, { email: person.email, password })
  if (!authenticated) throw new Error('the password is right')
  await enable(browser, { clock })
  const client = { ipAddress: '203.0.113.7', userAgent: '', device: undefined }
  t.match(await beginWithPassword(app, authenticated, client), { user: { id: user.id }, started: undefined })
  t.equal((await sessionsOf(db, user.id)).length, 1)
})
