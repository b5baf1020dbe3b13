import { eq } from 'drizzle-orm'
import t from 'tap'
import { memberships } from '../../drizzle/schema.ts'
import { call } from '../helpers/api.ts'
import type { Browser } from '../helpers/browser.ts'
import { challenge } from '../helpers/people.ts'
import { startSso } from '../helpers/single-sign-on.ts'

const { app, db, clock, company } = await startSso(t)
const body = { name: 'CI', role: 'admin', scope: 'write', days: 365, ...challenge }

/** A token of the company that is made in this browser, and whether it opens its workspace. */
async function made(browser: Browser, path: string) {
  const { flash, props } = await browser.submit('POST', `${path}/tokens`, body)
  const id: number = props.tokens[0].id
  const opens = async (secret = flash?.token) =>
    (await call(app, String(secret), 'GET', `/accounts${path}`)).statusCode === 200
  return { id, opens }
}

t.test('required single sign-on blocks tokens of sessions that had not passed, for good where they had', async (t) => {
  const { owner, path, ownerThere, visit, join } = await company()
  const before = await made(owner.browser, path)
  await visit(ownerThere, { browser: owner.browser })
  const passed = await made(owner.browser, path)
  const guest = await join('admin', 'agency.test')
  const early = await made(guest.browser, path)
  await owner.browser.submit('PATCH', `${path}/sso/requirement`, { required: true })
  t.same(
    [await before.opens(), await passed.opens(), await early.opens()],
    [false, true, false],
    'also of who is an exception only now',
  )
  const exception = await made(guest.browser, path)
  t.ok(await exception.opens(), 'that session was let in as an exception')
  const rolled = await owner.browser.submit('POST', `${path}/tokens/${before.id}/roll`, challenge)
  t.ok(await before.opens(rolled.flash?.token))

  await db.update(memberships).set({ outside: false }).where(eq(memberships.userId, guest.user.id))
  clock.forward({ days: 40 })
  t.same([await passed.opens(), await exception.opens()], [true, true], 'nobody has to pass anew for it')
  await visit(ownerThere, { browser: owner.browser })
  await owner.browser.submit('PATCH', `${path}/sso/requirement`, { required: false, ...challenge })
  t.ok(await early.opens(), 'it opens again')
})
