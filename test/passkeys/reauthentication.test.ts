import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { rateLimits, users } from '../../drizzle/schema.ts'
import { collectingRoutes, fill } from '../fuzz/routes.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { environment } from '../helpers/everything.ts'
import {
  addPasskey,
  challengeOptions,
  commonLies,
  creationOptions,
  malformed,
  requestOptions,
} from '../helpers/passkeys.ts'
import { nextIp, openGuest, password, signedIn, userRow, verifiedUp } from '../helpers/people.ts'

const { routes, frontend } = collectingRoutes()
const started = await startApp(t, environment, { frontend })
const { app, clock, db } = started
const wrong = { passkey_challenge: ['is invalid'] }
const wrongPassword = { password_challenge: ['is invalid'] }

async function withPasskey() {
  const someone = await verifiedUp(app)
  return { ...someone, ...(await addPasskey(someone.browser)) }
}

const countedOf = async () => {
  const rows = await db.select().from(rateLimits).where(sql`key like 'challenge:%'`)
  return rows.reduce((sum, { hits }) => sum + hits, 0)
}

const changeEmail = (browser: Browser, body: object, query = '') => {
  browser.headers['x-forwarded-for'] = nextIp()
  return browser.submit('PATCH', `/settings/email${query}`, body)
}
let count = 0
const fresh = () => `new-${++count}@example.com`
const changed = { notice: 'Your email has been changed' }

t.test('the browser is asked for one of the own passkeys, with user verification', async (t) => {
  const { browser, authenticator } = await withPasskey()
  const response = await browser.request('POST', '/settings/passkey_challenge')
  t.match(response, { statusCode: 200, headers: { 'content-type': /^application\/json/ } })
  const options = response.json()
  t.same(options.allowCredentials, [{ id: authenticator.id, type: 'public-key' }])
  t.match(options, { userVerification: 'required', rpId: 'localhost' })
  t.ok(Buffer.from(options.challenge, 'base64url').length >= 32)
  t.not((await challengeOptions(browser)).challenge, options.challenge)

  const { browser: other } = await verifiedUp(app)
  t.same((await challengeOptions(other)).allowCredentials, [])
})

/** A form that names the password otherwise, and one of passkeys. */
const cases: Record<string, [flash: object, text: string]> = {
  '/users': [{ notice: 'Your account has been deleted' }, 'Password challenge is invalid'],
  '/settings/passkeys/:id': [{ notice: 'Passkey removed' }, 'is invalid'],
}

t.test('a passkey is accepted wherever the password is asked for', async (t) => {
  const asking = routes.filter(({ fields }) => fields.includes('password_challenge'))
  t.ok(asking.length > 15)
  for (const route of asking) t.ok(route.fields.includes('passkey_challenge'), route.url)

  for (const [path, [flash, text]] of Object.entries(cases)) {
    const { browser, id, answer } = await withPasskey()
    const address = fill(path, { id: String(id) })
    for (const password_challenge of [undefined, 'wrong']) {
      browser.headers['x-forwarded-for'] = nextIp()
      const challenges = { password_challenge, passkey_challenge: await answer({ verified: false }) }
      const refused = await browser.submit('DELETE', address, challenges)
      t.same(refused.props.errors, password_challenge ? { ...wrong, password_challenge: [text] } : wrong, path)
    }
    const page = await browser.submit('DELETE', address, { passkey_challenge: await answer() })
    t.match(page.flash, flash, `${path}: ${JSON.stringify(page.props.errors)}`)
  }
})

t.test('a passkey is accepted by JSON endpoints', async (t) => {
  const { browser, answer } = await withPasskey()
  const ask = (body: object) => browser.request('POST', '/settings/passkeys/options', { body })
  const refused = await ask({ passkey_challenge: await answer({ present: false }) })
  t.match(refused, { statusCode: 422, body: JSON.stringify({ errors: wrong }) })
  const both = await ask({ passkey_challenge: 'x', password_challenge: 'wrong' })
  t.same(both.json(), { errors: { ...wrong, ...wrongPassword } })
  const passkey_challenge = JSON.stringify(await answer())
  const options = await ask({ passkey_challenge })
  t.equal(options.statusCode, 200)
  t.equal(options.json().attestation, 'none')
  t.same((await ask({ passkey_challenge })).json(), { errors: wrong }, 'once')

  const exported = await browser.request('POST', '/settings/export', { body: { passkey_challenge: await answer() } })
  t.match(exported.headers['content-disposition'], /accounts-export/)
  const [listed] = exported.json().passkeys
  t.ok(listed.last_used_at, 'which is a use of the passkey')
})

t.test('what answers in JSON says so of a guest and of a page of another person, and keeps nothing', async (t) => {
  const [{ browser, user }, guest] = [await withPasskey(), await Browser.open(app)]
  const ofAnother = { 'x-signed-in-as': String(user.id + 1), accept: 'text/html', ...browser.csrfHeader() }
  for (const url of ['/settings/passkeys/options', '/settings/passkey_challenge']) {
    const headers = { accept: 'application/json', ...guest.csrfHeader() }
    const { statusCode, body } = await guest.send('POST', url, { body: {}, headers })
    t.same([statusCode, body], [401, '{"status":401,"error":"Unauthorized"}'], url)
    const refused = await browser.send('POST', url, { body: {}, headers: ofAnother })
    t.match(refused, { statusCode: 409, body: '{"status":409,"error":"Conflict"}' }, url)
  }
  t.notOk('return_to' in (await guest.document('/sign_in')).page.props, 'nothing is kept for a later sign-in')
})

t.test('an assertion may be JSON in a form', async (t) => {
  const { browser, answer } = await withPasskey()
  const form = { email: fresh(), passkey_challenge: JSON.stringify(await answer()) }
  const headers = browser.protocolHeaders()
  t.same((await browser.follow(await browser.send('PATCH', '/settings/email', { form, headers }))).flash, changed)
})

t.test('one right challenge is enough, and otherwise each wrong one is named', async (t) => {
  const { browser, answer } = await withPasskey()
  const refusals: [object, object][] = [
    [{}, wrongPassword],
    [{ passkey_challenge: null }, wrongPassword],
    [{ passkey_challenge: '', password_challenge: '' }, wrongPassword],
    [{ passkey_challenge: 'x' }, wrong],
    [{ passkey_challenge: 'x', password_challenge: '' }, wrong],
    [{ password_challenge: 'wrong' }, wrongPassword],
    [
      { password_challenge: 'wrong', passkey_challenge: 'x' },
      { ...wrongPassword, ...wrong },
    ],
  ]
  for (const [body, errors] of refusals) {
    t.same((await changeEmail(browser, { email: fresh(), ...body })).props.errors, errors, JSON.stringify(body))
  }
  const taken = await changeEmail(browser, { email: 'nobody', passkey_challenge: 'x' })
  t.same(taken.props.errors, { email: ['is invalid'], ...wrong }, 'beside what else is wrong')
  const right = { passkey_challenge: await answer(), password_challenge: 'wrong' }
  t.same((await changeEmail(browser, { email: fresh(), ...right })).flash, changed)
  const other = { passkey_challenge: 'x', password_challenge: password }
  t.same((await changeEmail(browser, { email: fresh(), ...other })).flash, changed)
})

t.test('a malformed assertion is only wrong', async (t) => {
  const { browser, answer } = await withPasskey()
  for (const passkey_challenge of malformed(await answer()).filter((each) => each != null)) {
    await db.delete(rateLimits)
    const page = await changeEmail(browser, { email: fresh(), passkey_challenge })
    t.same(page.props.errors, wrong, JSON.stringify(passkey_challenge).slice(0, 60))
  }
  const twice = await changeEmail(browser, { email: fresh() }, '?passkey_challenge=a&passkey_challenge=b')
  t.same(twice.props.errors, wrong)
})

t.test('an assertion is wrong', async (t) => {
  const { browser, person, answer, id } = await withPasskey()
  const refuses = async (passkey_challenge: unknown, title: string) =>
    t.same((await changeEmail(browser, { email: fresh(), passkey_challenge })).props.errors, wrong, title)

  for (const [title, lie] of Object.entries(commonLies)) await refuses(await answer(lie), title)
  await refuses(await answer({ type: 'webauthn.create' }), 'as a registration')
  const { challenge } = await requestOptions(await openGuest(app))
  await refuses(await answer({ challenge }), "with a sign-in's challenge")
  await refuses(await answer({ challenge: (await creationOptions(browser)).challenge }), "with a registration's")

  const eve = await withPasskey()
  await refuses(await answer({ challenge: (await challengeOptions(eve.browser)).challenge }), "with another person's")
  await refuses(eve.authenticator.get(await challengeOptions(browser)), "by another person's passkey")
  await refuses(await eve.answer(), "that is another person's altogether")

  const late = await answer()
  clock.forward({ minutes: 5 })
  await refuses(late, 'after five minutes')

  const spent = await answer()
  const second = await signedIn(app, person)
  const challengeHere = { email: fresh(), passkey_challenge: spent }
  t.same((await changeEmail(second.browser, challengeHere)).flash, changed, 'before, in any session of that person')
  await refuses(spent, 'the second time')

  const own = await answer()
  await browser.submit('DELETE', `/settings/passkeys/${id}`, { password_challenge: password })
  await refuses(own, 'by a passkey that was removed')
})

t.test('precognition verifies the assertion and does not consume it', async (t) => {
  const { browser, answer } = await withPasskey()
  const validate = async (body: object, only?: string) => {
    const response = await browser.precognize('PATCH', '/settings/email', { email: fresh(), ...body }, only)
    return response.statusCode === 204 ? 'valid' : response.json().errors
  }
  const passkey_challenge = await answer()
  for (const only of [undefined, 'passkey_challenge', 'password_challenge', 'email', 'email,passkey_challenge']) {
    t.equal(await validate({ passkey_challenge }, only), 'valid', String(only))
  }
  t.same(await validate({ passkey_challenge: 'x' }), wrong)
  t.same(await validate({ passkey_challenge: 'x' }, 'passkey_challenge'), wrong)
  const before = await countedOf()
  t.equal(await validate({ passkey_challenge: 'x' }, 'email'), 'valid')
  t.equal(await countedOf(), before, 'what is not asked about is no guess')
  t.same((await changeEmail(browser, { email: fresh(), passkey_challenge })).flash, changed)
  t.same(await validate({ passkey_challenge }, 'passkey_challenge'), wrong, 'and a spent one is wrong')
})

t.test('of concurrent changes with one assertion, one happens', async (t) => {
  const { browser, answer, user } = await withPasskey()
  const body = { passkey_challenge: await answer() }
  const send = () => browser.request('PATCH', '/settings/email', { body: { email: fresh(), ...body } })
  await Promise.all([send(), send(), send()])
  t.equal((await userRow(db, user.id)).emailRevision, 1)
})

t.test('wrong assertions count like wrong passwords, right ones do not', async (t) => {
  const { browser, answer } = await withPasskey()
  const before = await countedOf()
  await changeEmail(browser, { email: fresh(), passkey_challenge: 'x' })
  await changeEmail(browser, { email: fresh(), passkey_challenge: await answer({ verified: false }) })
  t.equal(await countedOf(), before + 2)
  await changeEmail(browser, { email: fresh(), passkey_challenge: await answer() })
  t.equal(await countedOf(), before + 2)

  const [row] = await db.select().from(rateLimits).where(sql`key like 'challenge:%'`).orderBy(sql`expires_at desc`)
  const { key = '' } = row ?? {}
  await db.update(rateLimits).set({ hits: 1_000 }).where(eq(rateLimits.key, key))
  const page = await changeEmail(browser, { email: fresh(), passkey_challenge: await answer() })
  t.same(page.flash, { alert: 'Try again later.' }, 'from then on right ones wait, too')
  await db.update(users).set({ verified: true }) // the address has changed
  const json = await browser.request('POST', '/settings/passkeys/options', { body: { password_challenge: password } })
  t.ok(Number(json.headers['retry-after']) > 0)
})
