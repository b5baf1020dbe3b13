import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, users } from '../../drizzle/schema.ts'
import { deleteAccount } from '../../features/accounts/account-settings.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { startApp } from '../helpers/app.ts'
import { untilWaiting } from '../helpers/database.ts'
import { actorAt, byDigest, password, sharedAcme, startAcme } from '../helpers/people.ts'

t.test('managers can rename the account, and its URL stays', async (t) => {
  const { db, owner, join, account } = await sharedAcme(t)
  const admin = await join('admin')
  const name = async () => (await db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.name

  const page = await owner.browser.submit('PATCH', '/acme/settings', { name: 'Initech' })
  t.equal(page.url, '/acme/settings')
  t.same(page.flash, { notice: 'Settings saved' })
  t.match(page.props.account, { name: 'Initech', slug: 'acme' })
  await admin.browser.submit('PUT', '/acme/settings', { name: 'Initrode' })
  t.equal(await name(), 'Initrode')

  const refused = await (await join('member')).browser.submit('PATCH', '/acme/settings', { name: 'Mine' })
  t.match(refused, { url: '/acme', flash: { alert: "You don't have permission to do that" } })
  t.equal(await name(), 'Initrode')
  for (const blank of ['', null]) {
    const { errors } = (await owner.browser.submit('PATCH', '/acme/settings', { name: blank })).props
    t.same(errors, { name: ["can't be blank"] })
  }
  t.same((await owner.browser.submit('PATCH', '/acme/settings', {})).flash, { notice: 'Settings saved' })
  t.equal(await name(), 'Initrode')
  t.equal((await owner.browser.precognize('PATCH', '/acme/settings', { name: 'x'.repeat(61) })).statusCode, 422)
  t.equal((await owner.browser.precognize('PATCH', '/acme/settings', { name: 'Other' })).statusCode, 204)
  t.equal(await name(), 'Initrode')
})

t.test('saving another setting does not undo a concurrent rename', async (t) => {
  const { app, db } = await startApp(t, { DATABASE_POOL: '10' })
  const { owner, join, account } = await startAcme(app)
  const admin = await join('admin')
  const here = eq(accounts.id, account.id)
  const [renaming, requirement] = await db.transaction(async (tx) => {
    await tx.select().from(accounts).where(here).for('update')
    const renaming = admin.browser.request('PATCH', '/acme/settings', { body: { name: 'Initech' } })
    await untilWaiting(db, renaming, 1)
    const requirement = owner.browser.request('PATCH', '/acme/settings', { body: { require_second_factor: false } })
    await untilWaiting(db, requirement, 2)
    return [renaming, requirement]
  })
  for (const { statusCode } of await Promise.all([renaming, requirement])) t.equal(statusCode, 303)
  t.match(await db.select().from(accounts).where(here), [{ name: 'Initech' }])
})

t.test('an owner deletes the account with the password and is redirected to the next', async (t) => {
  const { db, owner, join, account } = await sharedAcme(t)
  const member = await join('member')
  await member.browser.visit('/acme')
  for (const body of [{}, { password_challenge: null }, { password_challenge: 'wrong' }]) {
    const page = await owner.browser.submit('DELETE', '/acme', body)
    t.equal(page.url, '/acme/settings')
    t.same(page.props.errors, { password_challenge: ['is invalid'] })
  }
  const strange = { body: { password_challenge: [password] } }
  t.equal((await owner.browser.request('DELETE', '/acme', strange)).statusCode, 400)
  const page = await owner.browser.submit('DELETE', '/acme', { password_challenge: password })
  t.equal(page.url, `/${owner.slug}`)
  t.same(page.flash, { notice: 'Workspace deleted' })
  t.same(await db.select().from(accounts).where(eq(accounts.id, account.id)), [])
  t.equal((await member.browser.visit('/')).url, `/${member.slug}`)

  const last = await owner.browser.submit('DELETE', `/${owner.slug}`, { password_challenge: password })
  t.equal(last.url, '/accounts/new')
})

t.test('deletion is limited, never precognitive, and fails if the password changes', async (t) => {
  const { db, owner, account } = await sharedAcme(t)
  t.equal((await owner.browser.precognize('DELETE', '/acme', { password_challenge: password })).statusCode, 400)

  const stale = await digestOf(password)
  const actor = actorAt(account, owner)
  const outcome = await deleteAccount(db, actor, byDigest(stale)).catch((error) => error)
  t.match(outcome, { errors: { password_challenge: [{ text: 'is invalid' }] } })

  for (let count = 0; count < 10; count++) {
    await owner.browser.request('DELETE', '/acme', { body: { password_challenge: 'wrong' } })
  }
  const page = await owner.browser.submit('DELETE', '/acme', { password_challenge: password })
  t.equal(page.flash?.alert, 'Try again later.')
  t.equal((await db.select().from(accounts)).length, 2)
  t.equal((await db.select().from(users)).length, 1)
})
