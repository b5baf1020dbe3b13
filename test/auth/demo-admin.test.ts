import t from 'tap'
import { accounts, memberships, sessions, users } from '../../drizzle/schema.ts'
import { ensureDemoAdmin } from '../../features/auth/index.ts'
import { sharedApp } from '../helpers/app.ts'
import { password, signedIn, signedUp } from '../helpers/people.ts'

const admin = { email: ' Admin@Example.com ', password }

t.test('boots, sequential or concurrent, create one verified user with an account, who can sign in', async (t) => {
  const { app, db } = await sharedApp(t)
  await Promise.all([ensureDemoAdmin(app, admin), ensureDemoAdmin(app, admin)])
  await ensureDemoAdmin(app, admin)
  for (const table of [users, accounts, memberships]) t.equal((await db.select().from(table)).length, 1)
  t.match(await db.select().from(users), [{ name: 'Admin', email: 'admin@example.com', verified: true }])
  t.match(await db.select().from(accounts), [{ name: "Admin's account" }])
  t.equal((await signedIn(app, { email: 'admin@example.com', password })).page.component, 'accounts/show')
})

t.test('a user with that address is verified, gets the password, and is signed out everywhere', async (t) => {
  const { app, db } = await sharedApp(t)
  const { person } = await signedUp(app, { email: 'admin@example.com' })
  await ensureDemoAdmin(app, { ...admin, email: 'first@example.com' })
  await ensureDemoAdmin(app, { ...admin, password: 'another long password' })
  t.same(await db.select().from(sessions), [])
  const now = (await db.select().from(users)).map(({ name, verified }) => `${name} ${verified}`)
  t.same(now.sort(), ['Admin true', `${person.name} true`])
  const { page } = await signedIn(app, { email: 'admin@example.com', password: 'another long password' })
  t.equal(page.component, 'accounts/show')
})
