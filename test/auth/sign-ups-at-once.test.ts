import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { accounts, users } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { openGuest, signUpByForm, somebody } from '../helpers/people.ts'

/** After a first sign-up: the queue then knows itself, for which these would leave it no connection. */
async function start(t: Test) {
  const started = await sharedApp(t)
  await signUpByForm(started.app, { name: 'Ben' })
  return started
}

t.test('fifty concurrent sign-ups with the same address give one user and 49 form errors', async (t) => {
  const { app, db } = await start(t)
  const one = somebody()
  const signUp = async () => (await openGuest(app)).submit('POST', '/sign_up', one)
  const pages = await Promise.all(Array.from({ length: 50 }, signUp))
  t.equal(pages.filter((page) => page.component === 'accounts/show').length, 1)
  const losers = pages.filter((page) => page.component === 'auth/sign-up')
  t.equal(losers.length, 49)
  for (const page of losers) t.same(page.props.errors, { email: ['has already been taken'] })
  t.equal(await db.$count(users, eq(users.email, one.email)), 1)
})

t.test('twenty concurrent sign-ups with the same name get twenty accounts', async (t) => {
  const { app, db } = await start(t)
  await Promise.all(Array.from({ length: 20 }, () => signUpByForm(app, { name: 'Ana' })))
  const slugs = (await db.select().from(accounts)).map(({ slug }) => slug)
  t.same(new Set(slugs), new Set(['ben', 'ana', ...Array.from({ length: 19 }, (_, index) => `ana-${index + 2}`)]))
})
