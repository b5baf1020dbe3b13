import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, sessions, users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { challenge } from '../helpers/people.ts'
import { acmeWithTokens } from '../helpers/workspace-tokens.ts'

const { app, db } = await startApp(t)

t.test(
  'a required second factor blocks tokens that were made without one, until they are rolled with one',
  async (t) => {
    const { account, owner, create, url, list, path } = await acmeWithTokens(app)
    const before = await create()
    const setFactor = (secondFactorAt: Date | null) =>
      db.update(users).set({ secondFactorAt }).where(eq(users.id, owner.user.id))
    await setFactor(app.now())
    await db.update(sessions).set({ firstFactor: 'passkey' }).where(eq(sessions.userId, owner.user.id))
    const strong = await create()
    const require = (requireSecondFactor: boolean) =>
      db.update(accounts).set({ requireSecondFactor }).where(eq(accounts.id, account.id))
    await require(true)
    const blocked = async () => (await list()).map(({ blocked }: { blocked: boolean }) => blocked)
    t.same(await blocked(), [false, true])
    t.equal(await strong.status('GET'), 200)
    t.same([await before.status('GET'), await before.status('GET', '/members')], [403, 403])
    t.equal((await before.send('GET', '/me')).statusCode, 200)

    const { flash } = await owner.browser.submit('POST', `${url}/${before.id}/roll`, challenge)
    const headers = { authorization: `Bearer ${flash?.token}` }
    t.equal((await app.inject({ url: `/api/v1/accounts${path}`, headers })).statusCode, 200, 'its successor')
    await require(false)
    t.equal(await before.status('GET'), 200, 'it opens again')
    await require(true)
    await setFactor(null)
    t.equal(await strong.status('GET'), 200, 'no person has to prove anything anew')
  },
)
