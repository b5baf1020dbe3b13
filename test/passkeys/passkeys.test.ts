import { eq } from 'drizzle-orm'
import t from 'tap'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { startApp } from '../helpers/app.ts'
import { Authenticator, commonLies, creationOptions, type Lies, register, requestOptions } from '../helpers/passkeys.ts'
import { challenge, nextIp, openGuest, signedIn, userRow, verifiedUp } from '../helpers/people.ts'
import { forgetMails, mailsOf, recorded, typesOf } from '../helpers/records.ts'

const { app, clock, db } = await startApp(t)
const passkeysOf = (userId: number) => db.select().from(passkeys).where(eq(passkeys.userId, userId))
const refused = { alert: "That passkey didn't work. Try again" }

t.test('the browser is asked for a discoverable credential with user verification', async (t) => {
  const { browser, person, user } = await verifiedUp(app)
  const response = await browser.request('POST', '/settings/passkeys/options', { body: challenge })
  t.match(response, { statusCode: 200, headers: { 'content-type': /^application\/json/ } })
  const options = response.json()
  t.match(options, {
    rp: { name: 'Acme Accounts', id: 'localhost' },
    user: { name: person.email, displayName: person.name },
    attestation: 'none',
    timeout: 300_000,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  t.ok(Buffer.from(options.challenge, 'base64url').length >= 32)
  t.same(options.excludeCredentials, [])

  const handle = Buffer.from(options.user.id, 'base64url')
  t.equal(handle.length, 64)
  const again = await creationOptions(browser)
  t.equal(again.user.id, options.user.id, 'one handle for all keys of a person')
  t.not(again.challenge, options.challenge)
  const { updatedAt } = await userRow(db, user.id)
  t.equal(updatedAt.toISOString(), user.updated_at, 'which is no change of theirs')
  const other = await creationOptions((await verifiedUp(app)).browser)
  t.not(other.user.id, options.user.id)
})

t.test('a passkey is listed, named after the browser and the date, and removed by its owner', async (t) => {
  const { browser, user } = await verifiedUp(app)
  const eve = (await verifiedUp(app)).browser
  await forgetMails(db)
  const authenticator = new Authenticator({ syncable: true, synced: true })
  const page = await register(browser, authenticator)
  t.equal(page.url, '/settings/security')
  t.same(page.flash, { notice: 'Passkey added' })

  const [passkey] = page.props.passkeys
  t.same(Object.keys(passkey), ['id', 'name', 'created_at', 'last_used_at', 'synced'])
  t.match(passkey.name, /^Chrome on Linux, [A-Z][a-z]+ \d{1,2}, \d{4}$/)
  t.match(passkey.created_at, /^\d{4}-.*\.\d{3}Z$/)
  t.equal(passkey.last_used_at, null)
  t.equal(passkey.synced, true)
  t.same((await creationOptions(browser)).excludeCredentials, [{ id: authenticator.id, type: 'public-key' }])
  const [event] = (await recorded(db)).filter(({ type }) => type === 'passkey_added')
  t.match(event, { userId: user.id, details: { passkey_name: passkey.name } })
  const exported = await browser.request('POST', '/settings/export', { body: challenge })
  t.same(exported.json().passkeys, [passkey], 'an export has no more of it')

  for (const id of [passkey.id, 999_999_999, '1e3', 'x', '9999999999999999']) {
    for (const [method, body] of [
      ['PATCH', { name: 'Mine' }],
      ['DELETE', challenge],
    ] as const) {
      const response = await eve.request(method, `/settings/passkeys/${id}`, { body })
      t.equal(response.statusCode, 404, `${method} ${id}`)
    }
  }
  const removed = await browser.submit('DELETE', `/settings/passkeys/${passkey.id}`, challenge)
  t.same(removed.flash, { notice: 'Passkey removed' })
  t.same(removed.props.passkeys, [])
  const accepted = (await browser.request('GET', '/settings/passkeys/accepted')).json()
  t.match(accepted, { rp_id: 'localhost', user_id: /^[\w-]{86}$/, credential_ids: [] })
  t.same(await mailsOf(db, user.id), ['passkey_added', 'passkey_removed'])
  t.equal((await typesOf(db, user.id)).at(-1), 'passkey_removed')
})

t.test('a name can be given and changed', async (t) => {
  const { browser, user } = await verifiedUp(app)
  const page = await register(browser, undefined, undefined, { name: 'Work laptop' })
  const [{ id }] = page.props.passkeys
  t.equal(page.props.passkeys[0].name, 'Work laptop')

  for (const name of ['Grey laptop', 'ö'.repeat(60), 'ö'.repeat(60)]) {
    const renamed = await browser.submit('PATCH', `/settings/passkeys/${id}`, { name })
    t.same(renamed.flash, { notice: 'Passkey renamed' })
    t.equal(renamed.props.passkeys[0].name, name)
  }
  const renames = (await recorded(db)).filter(({ type, userId }) => type === 'passkey_renamed' && userId === user.id)
  t.match(renames.at(-1)?.details, { from: 'Grey laptop', to: 'ö'.repeat(60) })
  t.equal(renames.length, 2, 'the same name is no change')
  for (const [name, message] of [
    [' ', "can't be blank"],
    ['\u200b\u3164', "can't be blank"],
    [null, "can't be blank"],
    ['x'.repeat(61), 'is too long (maximum is 60 characters)'],
    ['a\0b', 'is invalid'],
  ]) {
    t.same((await browser.submit('PATCH', `/settings/passkeys/${id}`, { name })).props.errors, { name: [message] })
    const check = await browser.precognize('PATCH', `/settings/passkeys/${id}`, { name })
    t.same(check.json(), { errors: { name: [message] } })
  }
  const long = await register(browser, undefined, undefined, { name: 'x'.repeat(61) })
  t.same(long.props.errors, { name: ['is too long (maximum is 60 characters)'] })
})

t.test('the twenty-first is rejected, even if two arrive concurrently', async (t) => {
  const { browser, user } = await verifiedUp(app)
  const row = { userId: user.id, publicKey: '', counter: 0, name: 'Key', syncable: false, synced: false }
  const rows = Array.from({ length: 19 }, (_, index) => ({ ...row, credentialId: `${user.id}-${index}` }))
  await db.insert(passkeys).values(rows)
  const options = [await creationOptions(browser), await creationOptions(browser)]
  const bodies = options.map((asked) => ({ response: new Authenticator().create(asked) }))
  await Promise.all(bodies.map((body) => browser.request('POST', '/settings/passkeys', { body })))
  t.equal((await passkeysOf(user.id)).length, 20)
  t.same((await register(browser)).flash, { alert: 'You have 20 passkeys already' })
})

t.test('a registration is rejected', async (t) => {
  const { browser, person, user } = await verifiedUp(app)
  const second = await signedIn(app, person)
  const eve = await verifiedUp(app)
  const lies: Record<string, Lies> = {
    ...commonLies,
    'as an assertion': { type: 'webauthn.get' },
    "with a sign-in's challenge": { challenge: (await requestOptions(await openGuest(app))).challenge },
    "with another session's challenge": { challenge: (await creationOptions(second.browser)).challenge },
    "with another person's challenge": { challenge: (await creationOptions(eve.browser)).challenge },
  }
  for (const [title, lie] of Object.entries(lies)) {
    browser.headers['x-forwarded-for'] = nextIp()
    const page = await register(browser, undefined, lie)
    t.equal(page.url, '/settings/security')
    t.same(page.flash, refused, title)
  }

  const options = await creationOptions(browser)
  clock.forward({ minutes: 5 })
  const late = await browser.submit('POST', '/settings/passkeys', { response: new Authenticator().create(options) })
  t.same(late.flash, refused, 'after five minutes')

  t.same(await passkeysOf(user.id), [])
  const fresh = await creationOptions(browser)
  const authenticator = new Authenticator()
  const answer = { response: authenticator.create(fresh) }
  t.same((await browser.submit('POST', '/settings/passkeys', answer)).flash, { notice: 'Passkey added' })
  const replayed = { response: new Authenticator().create(fresh) }
  t.same((await browser.submit('POST', '/settings/passkeys', replayed)).flash, refused, 'a challenge counts once')
  t.same((await register(browser, authenticator)).flash, refused, 'a passkey belongs to one person')
  t.same((await register(eve.browser, new Authenticator(), { id: authenticator.id })).flash, refused)
  t.equal((await passkeysOf(user.id)).length, 1)
  t.same(await passkeysOf(eve.user.id), [])
})

t.test('any invalid response is rejected with the same message', async (t) => {
  const { browser } = await verifiedUp(app)
  const { response, ...rest } = new Authenticator().create(await creationOptions(browser))
  for (const strange of [
    ...[undefined, null, 1, true, 'x', [], {}],
    { ...rest, response: null },
    { ...rest, response: {} },
    { ...rest, response: { ...response, clientDataJSON: 'bm90IGpzb24' } },
    { ...rest, response: { ...response, clientDataJSON: 'bnVsbA' } },
    { ...rest, response: { ...response, attestationObject: 'oA' } },
    { ...rest, response: { ...response, attestationObject: 7 } },
    { ...rest, id: 'x', response },
  ]) {
    browser.headers['x-forwarded-for'] = nextIp()
    const answer = await browser.request('POST', '/settings/passkeys', { body: { response: strange } })
    t.equal(answer.headers.location, '/settings/security', JSON.stringify(strange)?.slice(0, 60))
    t.same((await browser.follow(answer)).flash, refused)
  }
})
