import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { rateLimits } from '../../drizzle/schema.ts'
import { deleteAccount } from '../../features/accounts/account-settings.ts'
import { deleteUser } from '../../features/auth/user-deletion.ts'
import { changeEmail, changePassword } from '../../features/settings/changes.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { actorAt, byDigest, password, sharedAcme, sharedPerson, signedIn } from '../helpers/people.ts'
import { snapshot } from '../helpers/records.ts'

const wrong = { password_challenge: ['is invalid'] }
const fresh = { password: 'a fresh new password', password_confirmation: 'a fresh new password' }

/** The owner of Acme, signed in twice, and everything that a change of theirs could touch. */
async function startAsked(t: Test) {
  const started = await sharedAcme(t)
  const { page: other } = await signedIn(started.app, started.owner.person)
  const member = await started.join('member')
  const secondOwner = await started.join('owner')
  const everything = () =>
    snapshot(started.db, 'users', 'sessions', 'accounts', 'memberships', 'activities', 'pgboss.job')
  return { ...started, other, everything, forms: formsFor(member.membershipId, secondOwner.membershipId) }
}

type Form = [method: 'POST' | 'PATCH' | 'DELETE', path: string, page: string, body?: object, errors?: object]
const formsFor = (memberId: number, ownerId: number): Form[] => [
  ['PATCH', '/settings/email', '/settings/email', { email: 'new@example.com' }],
  ['PATCH', '/settings/email', '/settings/email'],
  ['PATCH', '/settings/password', '/settings/password', fresh],
  ['PATCH', '/settings/password', '/settings/password'],
  ['POST', '/settings/export', '/settings/profile', {}],
  ['DELETE', '/sessions', '/settings/sessions', {}],
  ['DELETE', '/acme', '/acme/settings', {}],
  ['PATCH', `/acme/members/${memberId}`, '/acme/members', { role: 'owner' }],
  ['POST', `/acme/members/${memberId}/ownership`, '/acme/members'],
  ['DELETE', `/acme/members/${ownerId}`, '/acme/members'],
  ['DELETE', '/users', '/settings/profile', {}, { password_challenge: ['Password challenge is invalid'] }],
]

t.test('without the right password nothing changes, wherever it is asked for', async (t) => {
  const { db, owner, everything, forms } = await startAsked(t)
  const before = await everything()
  for (const [method, path, form, body, errors = wrong] of forms) {
    for (const challenge of ['wrong', '', null, undefined]) {
      const page = await owner.browser.submit(method, path, { ...body, password_challenge: challenge })
      t.equal(page.url, form)
      t.same(page.props.errors, errors, `${method} ${path} with ${challenge}`)
    }
    await db.delete(rateLimits)
  }
  t.same(await everything(), before)
})

t.test('a password that changes after it was verified prevents the change', async (t) => {
  const { app, account, owner, everything } = await startAsked(t)
  const before = await everything()
  const reauthentication = byDigest(await digestOf(password)) // with another salt
  const confirmed = { userId: owner.user.id, token: owner.session, reauthentication }
  const outcomes = await Promise.allSettled([
    changeEmail(app, confirmed, 'new@example.com'),
    changeEmail(app, confirmed, owner.person.email),
    changePassword(app, confirmed, fresh.password),
    changePassword(app, confirmed, undefined),
    deleteAccount(app, actorAt(account, owner), reauthentication),
    deleteUser(app, confirmed),
  ])
  const refused = { status: 'rejected', reason: { errors: { password_challenge: [{ text: 'is invalid' }] } } }
  for (const outcome of outcomes) t.match(outcome, refused)
  t.same(await everything(), before)
})

t.test('only wrong passwords count, also in a validate-only request', async (t) => {
  const { db, browser } = await sharedPerson(t)
  const counted = async () => (await db.select().from(rateLimits).where(sql`key like 'challenge:%'`))[0]?.hits ?? 0
  const bodyWith = (password_challenge: string | null) => ({ email: 'new@example.com', password_challenge })
  const change = (given: string | null) => browser.submit('PATCH', '/settings/email', bodyWith(given))
  const check = (given: string, only: string) => browser.precognize('PATCH', '/settings/email', bodyWith(given), only)

  for (const nothing of ['', null]) await change(nothing)
  await check('half typ', 'email')
  t.equal(await counted(), 0, 'nothing was guessed')
  await change('a wrong password')
  t.equal(await counted(), 1)
  t.equal((await check('a wrong password', 'password_challenge')).statusCode, 422)
  t.equal(await counted(), 2)
  t.same((await change(password)).flash, { notice: 'Your email has been changed' })
  t.equal(await counted(), 2)
})

t.test('of 30 concurrent challenges from as many clients, those that are left of 100 are verified', async (t) => {
  const { db, browser } = await sharedPerson(t)
  const body = { email: 'new@example.com', password_challenge: 'a wrong password' }
  await browser.request('PATCH', '/settings/email', { body })
  await db.update(rateLimits).set({ hits: 80 }).where(sql`key like 'challenge:%'`)
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, client) =>
      browser.request('PATCH', '/settings/email', { body, headers: { 'x-forwarded-for': `10.4.0.${client}` } }),
    ),
  )
  t.equal(responses.filter(({ headers }) => headers['retry-after'] === undefined).length, 20)
})
