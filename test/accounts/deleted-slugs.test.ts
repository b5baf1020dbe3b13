import t from 'tap'
import { deletedSlugs } from '../../drizzle/schema.ts'
import { removeUser } from '../../features/auth/user-deletion.ts'
import { settings, sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { challenge, sharedPerson, sidOf, signedIn, signedUp } from '../helpers/people.ts'

type Somebody = { browser: Browser }

/** The path of a new workspace with this name. */
const create = async ({ browser }: Somebody, name = 'Acme') =>
  (await browser.submit('POST', '/accounts', { name })).url as string
const remove = ({ browser }: Somebody) => browser.submit('DELETE', '/acme', challenge)

t.test('the slug of a deleted workspace is free for who deleted it, and for others after twelve months', async (t) => {
  const { app, clock } = await sharedApp(t)
  const ana = await signedUp(app)
  t.equal(await create(ana), '/acme')
  await remove(ana)
  t.equal(await create(await signedUp(app)), '/acme-2')
  t.equal(await create(ana), '/acme', 'it is theirs as often as they like')
  await remove(ana)
  clock.forward({ days: 364 })
  t.equal(await create(await signedUp(app)), '/acme-3')
  clock.forward({ days: 2 })
  t.equal(await create(await signedUp(app)), '/acme')
})

t.test('a deleted slug is stored as a keyed digest, with who deleted it until they are deleted', async (t) => {
  const { db, ...ana } = await sharedPerson(t)
  await create(ana)
  await remove(ana)
  t.match(await db.select().from(deletedSlugs), [{ digest: /^[\w-]{43}$/, userId: ana.user.id }])
  await ana.browser.submit('DELETE', '/users', challenge)
  const rows = await db.select().from(deletedSlugs)
  t.same(
    rows.map(({ userId }) => userId),
    [null, null],
    'also that of the personal account',
  )
})

t.test('it stays taken when SECRET_KEY_BASE changes, while the previous one is known', async (t) => {
  const before = await sharedApp(t)
  const ana = await signedUp(before.app)
  await create(ana)
  await remove(ana)
  const key = 'another secret for tests, which is long enough to be one: 64 characters and more'
  const environment = { DATABASE_URL: before.url, SECRET_KEY_BASE: key }
  const between = await startApp(t, { ...environment, SECRET_KEY_BASE_PREVIOUS: settings.SECRET_KEY_BASE })
  t.equal(await create(await signedUp(between.app)), '/acme-2')
  t.equal(await create(await signedIn(between.app, ana.person)), '/acme')
})

t.test('the slugs of accounts that go with a user stay taken, unless it never was theirs', async (t) => {
  const { app, clock } = await sharedApp(t)
  const ways: Record<string, (somebody: Awaited<ReturnType<typeof signedUp>>) => Promise<unknown>> = {
    themselves: ({ browser }) => browser.submit('DELETE', '/users', challenge),
    operator: ({ user }) => app.db.transaction((tx) => removeUser(app, tx, user.id, { keepsSlugs: true })),
    stranger: async ({ user }) =>
      (await Browser.open(app)).submit('POST', '/identity/not_mine', { sid: await sidOf(app, 'not_mine', user.id) }),
    sweeper: () => {
      clock.forward({ days: 31 })
      return app.sweeper.sweep()
    },
  }
  const next: Record<string, string> = {}
  for (const [name, way] of Object.entries(ways)) {
    await way(await signedUp(app, { name }))
    next[name] = (await signedUp(app, { name })).slug
  }
  t.same(next, { themselves: 'themselves-2', operator: 'operator-2', stranger: 'stranger', sweeper: 'sweeper' })
})
