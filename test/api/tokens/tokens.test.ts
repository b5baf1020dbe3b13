import { crc32 } from 'node:zlib'
import { eq, ne } from 'drizzle-orm'
import t from 'tap'
import { apiTokens } from '../../../drizzle/tables/api.ts'
import { call, createToken } from '../../helpers/api.ts'
import { collectLines, startApp } from '../../helpers/app.ts'
import { challenge, signedIn, signedUp, verifiedUp } from '../../helpers/people.ts'
import { dump, forgetMails, mailsOf, typesOf } from '../../helpers/records.ts'

const { lines, logTo } = collectLines()
const { app, clock, db } = await startApp(t, { LOG_LEVEL: 'info' }, { logTo })
const url = '/settings/tokens'
const valid = { ...challenge, name: 'CI', scope: 'write' }
const dayMs = 86_400_000

t.beforeEach(() => forgetMails(db))

t.test('a token is shown once, listed without its secret, and revoked', async (t) => {
  const { browser, user } = await verifiedUp(app)
  const page = await browser.submit('POST', url, valid)
  t.equal(page.flash?.notice, 'Token created')
  const secret = String(page.flash?.token)
  const [token] = page.props.tokens
  t.match(token, { name: 'CI', scope: 'write', last_used_at: null })
  t.same(Object.keys(token), ['id', 'name', 'scope', 'created_at', 'expires_at', 'last_used_at'])
  const lifetime = Date.parse(token.expires_at) - Date.parse(token.created_at)
  t.equal(lifetime, 90 * dayMs, '90 days unless asked otherwise')
  t.notOk((await browser.visit(url)).flash?.token, 'only once')

  const use = async () => {
    t.equal((await call(app, secret, 'GET', '/me')).statusCode, 200)
    return (await browser.visit(url)).props.tokens[0].last_used_at
  }
  const used = await use()
  t.ok(used)
  clock.forward({ minutes: 59 })
  t.equal(await use(), used, 'written at most once an hour')
  clock.forward({ minutes: 2 })
  t.not(await use(), used)

  const revoked = await browser.submit('DELETE', `${url}/${token.id}`)
  t.match(revoked, { flash: { notice: 'Token revoked' }, props: { tokens: [] } })
  t.equal((await call(app, secret, 'GET', '/me')).statusCode, 401)
  t.same((await typesOf(db, user.id)).slice(-2), ['token_created', 'token_revoked'])
  t.same((await mailsOf(db, user.id)).slice(-2), ['token_created', 'token_revoked'])
})

t.test('the secret is 30 characters of base62 and their CRC-32', async (t) => {
  const { browser } = await verifiedUp(app)
  const secret = await createToken(browser)
  t.match(secret, /^acct_[0-9A-Za-z]{36}$/)
  const digits = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
  const value = [...secret.slice(35)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
  t.equal(value, crc32(secret.slice(5, 35)))
  const mistyped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0')
  t.equal((await call(app, mistyped, 'GET', '/me')).statusCode, 401)
})

t.test('its values and the challenge are checked together', async (t) => {
  const { browser } = await verifiedUp(app)
  const errorsOf = async (changes: object) => (await browser.submit('POST', url, { ...valid, ...changes })).props.errors
  const unknown = ['is not included in the list']
  const wrong = { password_challenge: ['is invalid'] }
  const all = { name: ["can't be blank"], scope: unknown, days: unknown, ...wrong }
  t.same(await errorsOf({ name: ' ', scope: 'admin', days: 8, password_challenge: 'wrong' }), all)
  t.same(await errorsOf({ password_challenge: undefined }), wrong)
  for (const days of ['0x7', '7e0', '07', '', 0]) t.same(await errorsOf({ days }), { days: unknown }, String(days))
  for (const days of [7, '30', 365]) t.same(await errorsOf({ days }), {})
})

t.test('it needs a verified address, and nobody revokes those of others', async (t) => {
  const { browser } = await signedUp(app)
  const page = await browser.submit('POST', url, valid)
  t.match(page, { component: 'settings/tokens', flash: { alert: 'Verify your email first' }, props: { tokens: [] } })

  const owner = await verifiedUp(app)
  const secret = await createToken(owner.browser)
  const [{ id }] = (await owner.browser.visit(url)).props.tokens
  t.equal((await browser.request('DELETE', `${url}/${id}`)).statusCode, 404)
  t.equal((await call(app, secret, 'GET', '/me')).statusCode, 200)
})

t.test('twenty that have not expired are enough, also when two are created at once', async (t) => {
  const { browser, user } = await verifiedUp(app)
  await createToken(browser)
  const [token] = await db.select().from(apiTokens).where(eq(apiTokens.userId, user.id))
  if (!token) throw new Error('there is no token')
  const { id: _, ...values } = token
  const more = Array.from({ length: 18 }, (_, n) => ({ ...values, digest: `${user.id} ${n}` }))
  await db.insert(apiTokens).values([...more, { ...values, digest: `${user.id} old`, expiresAt: app.now() }])
  for (const { statusCode } of await Promise.all([1, 2].map(() => browser.request('POST', url, { body: valid }))))
    t.equal(statusCode, 302)
  t.equal(await db.$count(apiTokens, eq(apiTokens.userId, user.id)), 21, 'twenty and an expired one')
  t.match(await browser.submit('POST', url, valid), { flash: { alert: 'You have 20 tokens already' } })
})

t.test('a rolled token has a successor like it, and works for another hour', async (t) => {
  const { browser, user } = await verifiedUp(app)
  const old = await createToken(browser, { scope: 'read', days: 30 })
  const [{ id }] = (await browser.visit(url)).props.tokens
  const refused = await browser.submit('POST', `${url}/${id}/roll`, { password_challenge: 'wrong' })
  t.same(refused.props.errors, { password_challenge: ['is invalid'] })
  const other = await verifiedUp(app)
  t.equal((await other.browser.request('POST', `${url}/${id}/roll`, { body: challenge })).statusCode, 404)

  clock.forward({ days: 10 })
  const page = await browser.submit('POST', `${url}/${id}/roll`, challenge)
  t.equal(page.flash?.notice, 'Token rolled')
  const secret = String(page.flash?.token)
  const [successor, rolled] = page.props.tokens
  t.match(successor, { name: 'CI', scope: 'read' })
  t.equal(Date.parse(successor.expires_at) - Date.parse(successor.created_at), 30 * dayMs)
  t.equal(rolled.id, id)
  t.same((await mailsOf(db, user.id)).slice(-2), ['token_created', 'token_created'])
  t.equal((await browser.request('POST', `${url}/${id}/roll`, { body: challenge })).statusCode, 404, 'only once')

  clock.forward({ minutes: 59 })
  for (const token of [old, secret]) t.equal((await call(app, token, 'GET', '/me')).statusCode, 200)
  clock.forward({ minutes: 2 })
  t.equal((await call(app, old, 'GET', '/me')).statusCode, 401)
  t.equal((await call(app, secret, 'GET', '/me')).statusCode, 200)
})

t.test('one of twenty tokens can be rolled, and no expired one comes back to life', async (t) => {
  const { browser, user } = await verifiedUp(app)
  await createToken(browser, { days: 7 })
  const [token] = await db.select().from(apiTokens).where(eq(apiTokens.userId, user.id))
  if (!token) throw new Error('there is no token')
  const { id, ...values } = token
  const more = Array.from({ length: 19 }, (_, n) => ({ ...values, digest: `${user.id} ${n}` }))
  await db.insert(apiTokens).values(more)
  const roll = () => browser.submit('POST', `${url}/${id}/roll`, challenge)
  t.match(await roll(), { flash: { notice: 'Token rolled' } })

  await db.delete(apiTokens).where(ne(apiTokens.id, id))
  await db.update(apiTokens).set({ expiresAt: values.expiresAt }).where(eq(apiTokens.id, id))
  clock.forward({ days: 8 })
  const page = await roll()
  const cutShort = new Date(values.expiresAt.getTime() - 1)
  t.equal(page.props.tokens.at(-1).expires_at, cutShort.toISOString())
  t.equal((await browser.request('POST', `${url}/${id}/roll`, { body: challenge })).statusCode, 404, 'only once')
})

t.test('a week before it expires, a token is mailed about once', async (t) => {
  const { browser, user } = await verifiedUp(app)
  for (const days of [7, 30, 30]) await createToken(browser, { days })
  const [{ id }] = (await browser.visit(url)).props.tokens
  const warnings = async () => {
    await app.jobs.run('warn_of_expiry')
    return (await mailsOf(db, user.id)).filter((mail) => mail === 'token_expires')
  }
  clock.forward({ days: 22 })
  await browser.submit('POST', `${url}/${id}/roll`, challenge)
  t.same(await warnings(), [])
  clock.forward({ days: 1, minutes: 1 })
  t.equal((await warnings()).length, 1, 'neither of a short-lived one nor of one with a successor')
  clock.forward({ days: 1 })
  t.equal((await warnings()).length, 1)
})

t.test('it goes with its owner, and expired ones are swept after a month', async (t) => {
  const owner = await verifiedUp(app)
  const secret = await createToken(owner.browser)
  await owner.browser.submit('DELETE', '/users', challenge)
  t.equal((await call(app, secret, 'GET', '/me')).statusCode, 401)
  t.equal(await db.$count(apiTokens, eq(apiTokens.userId, owner.user.id)), 0)

  const other = await verifiedUp(app)
  await createToken(other.browser, { days: 7 })
  clock.forward({ days: 36 })
  await app.sweeper.sweep()
  t.equal(await db.$count(apiTokens, eq(apiTokens.userId, other.user.id)), 1)
  clock.forward({ days: 2 })
  await app.sweeper.sweep()
  t.equal(await db.$count(apiTokens, eq(apiTokens.userId, other.user.id)), 0)
})

t.test('the secret is in no log, table, activity or export', async (t) => {
  const { browser, person } = await verifiedUp(app)
  const secret = await createToken(browser)
  await call(app, secret, 'GET', '/me')
  await call(app, secret, 'GET', `/${secret}`)
  const { browser: other } = await signedIn(app, person)
  const exported = (await other.request('POST', '/settings/export', { body: challenge })).body
  t.match(JSON.parse(exported).tokens, [{ name: 'CI', scope: 'write' }])
  const everything = [exported, await dump(db), JSON.stringify(lines)].join()
  t.match(everything, person.email)
  for (const part of [secret.slice(5, 35), secret.slice(5)]) t.notOk(everything.includes(part))
})
