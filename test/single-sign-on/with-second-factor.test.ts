import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts } from '../../drizzle/schema.ts'
import { startSso } from '../helpers/single-sign-on.ts'

const { db, company } = await startSso(t)

t.test('a passed session has done what this workspace asks by its second factor', async (t) => {
  const { path, account, join, require, visit } = await company()
  const ana = await join()
  await require()
  await db.update(accounts).set({ requireSecondFactor: true }).where(eq(accounts.id, account.id))
  t.equal((await ana.browser.visit(path)).component, 'auth/sso-start')
  await visit({ sub: `ana-${ana.user.id}`, email: ana.person.email }, { browser: ana.browser })
  t.equal((await ana.browser.visit(path)).component, 'accounts/show')
  const other = await ana.browser.submit('POST', '/accounts', { name: 'Other' })
  await db.update(accounts).set({ requireSecondFactor: true }).where(eq(accounts.id, other.props.account.id))
  t.equal((await ana.browser.visit(other.url)).component, 'settings/security', 'and of no other')
})
