import t, { type Test } from 'tap'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { changeEmail } from '../../features/settings/changes.ts'
import { sharedApp } from '../helpers/app.ts'
import { byDigest, password, signedUp, userRow } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

const invalid = { email: ["can't be blank", 'is invalid'] }
const taken = { email: ['has already been taken'] }
const changed = { notice: 'Your email has been changed' }

async function startSettings(t: Test) {
  const started = await sharedApp(t)
  const someone = await signedUp(started.app, { email: 'ana@example.com' })
  await signedUp(started.app, { email: 'bea@example.com' })
  await forgetMails(started.db)
  const read = () => userRow(started.db, someone.user.id)
  const change = (body: object) =>
    someone.browser.submit('PATCH', '/settings/email', { password_challenge: password, ...body })
  return { ...started, ...someone, read, change }
}

t.test('a changed address must be verified', async (t) => {
  const { db, change, read, user } = await startSettings(t)
  await db.update(users).set({ verified: true })
  const page = await change({ email: ' New@Example.com ' })
  t.equal(page.url, '/settings/email')
  t.same(page.flash, changed)
  t.match(page.props.auth.user, { email: 'new@example.com', verified: false })
  t.match(await read(), { email: 'new@example.com', verified: false })

  const [former] = await db.select().from(emailChanges)
  t.equal(former?.previousEmail, 'ana@example.com')
  const [told, ...others] = await queuedMails(db)
  t.match(told, { mail: 'email_changed', emailChangeId: former?.id })
  t.same(others, [{ mail: 'email_verification', userId: user.id }])
  await forgetMails(db)
  await change({ email: 'newer@example.com' })
  t.same(await queuedMails(db), [{ mail: 'email_verification', userId: user.id }], 'the old one was not verified')
})

t.test('the same address, in any case, is no change, nor is an absent one', async (t) => {
  const { db, change, read } = await startSettings(t)
  await db.update(users).set({ verified: true })
  for (const body of [{ email: 'ana@example.com' }, { email: 'ANA@Example.com ' }, {}]) {
    const page = await change(body)
    t.equal(page.url, '/settings/email')
    t.same([page.flash, page.props.errors], [{}, {}])
  }
  t.equal((await read()).verified, true)
  t.same(await queuedMails(db), [])
})

t.test('an invalid address is rejected', async (t) => {
  const { change } = await startSettings(t)
  for (const [email, errors] of [
    ['', invalid],
    [null, invalid],
    ['nobody', { email: ['is invalid'] }],
    ['Bea@example.com', taken],
  ] as const) {
    t.same((await change({ email })).props.errors, errors)
  }
})

t.test('omitted fields of a form keep their value, empty ones are rejected', async (t) => {
  const { browser, read } = await startSettings(t)
  const send = async (fields: Record<string, string>) => {
    const form = { password_challenge: password, ...fields }
    return browser.follow(await browser.send('PUT', '/settings/email', { form, headers: browser.csrfHeader() }))
  }
  t.same((await send({})).flash, {})
  t.same((await send({ email: '' })).props.errors, invalid)
  t.same((await send({ email: ' New@Example.com' })).flash, changed)
  t.equal((await read()).email, 'new@example.com')
})

t.test('precognition reports address and challenge together, and changes nothing', async (t) => {
  const { browser, read } = await startSettings(t)
  const check = (body: object) => browser.precognize('PATCH', '/settings/email', body)
  const response = await check({ email: 'bea@example.com', password_challenge: 'wrong' })
  t.equal(response.statusCode, 422)
  t.same(response.json(), { errors: { ...taken, password_challenge: ['is invalid'] } })
  const right = { email: 'new@example.com', password_challenge: password }
  t.equal((await check(right)).statusCode, 204)
  t.equal((await read()).email, 'ana@example.com')
})

t.test('an address that is taken after the check is rejected', async (t) => {
  const { app, db, user, session, read } = await startSettings(t)
  const confirmed = { userId: user.id, token: session, reauthentication: byDigest((await read()).passwordDigest) }
  const outcome = await changeEmail(app, confirmed, 'bea@example.com').catch((error) => error)
  t.match(outcome, { errors: { email: [{ text: 'has already been taken' }] } })
  t.same(await queuedMails(db), [])
  t.equal(await db.$count(emailChanges), 0)
})
