import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { untilWaiting } from '../helpers/database.ts'
import { password, sharedAcme, startAcme } from '../helpers/people.ts'

t.test('managers can rename the account, and its URL stays', async (t) => {
  const { db, owner, join, account } = await sharedAcme(t)
  const admin = await join('admin')
  const nameNow = async () => (await db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.name
  const save = (body: object) => owner.browser.submit('PATCH', '/acme/settings', body)

  const page = await save({ name: 'Initech' })
  t.equal(page.url, '/acme/settings')
  t.same(page.flash, { notice: 'Settings saved' })
  t.match(page.props.account, { name: 'Initech', slug: 'acme' })
  await admin.browser.submit('PUT', '/acme/settings', { name: 'Initrode' })
  t.equal(await nameNow(), 'Initrode')

  for (const blank of ['', null]) t.same((await save({ name: blank })).props.errors, { name: ["can't be blank"] })
  t.same((await save({})).flash, { notice: 'Settings saved' })
  const check = async (name: string) => (await owner.browser.precognize('PATCH', '/acme/settings', { name })).statusCode
  t.same([await check('x'.repeat(61)), await check('Other')], [422, 204])
  t.equal(await nameNow(), 'Initrode')
})

t.test('saving another setting does not undo a concurrent rename', async (t) => {
  const { app, db } = await sharedApp(t, { DATABASE_POOL: '10' })
  const { owner, join, account } = await startAcme(app)
  const admin = await join('admin')
  const here = eq(accounts.id, account.id)
  const both = await db.transaction(async (tx) => {
    await tx.select().from(accounts).where(here).for('update')
    const renaming = admin.browser.request('PATCH', '/acme/settings', { body: { name: 'Initech' } })
    await untilWaiting(db, renaming, 1)
    const requirement = owner.browser.request('PATCH', '/acme/settings', { body: {} })
    await untilWaiting(db, requirement, 2)
    return [renaming, requirement]
  })
  for (const { statusCode } of await Promise.all(both)) t.equal(statusCode, 303)
  t.match(await db.select().from(accounts).where(here), [{ name: 'Initech' }])
})

t.test('an owner deletes the account with the password and is redirected to the next', async (t) => {
  const { db, owner, join, account } = await sharedAcme(t)
  const member = await join('member')
  await member.browser.visit('/acme')
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
