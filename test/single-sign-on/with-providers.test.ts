import t from 'tap'
import { identities } from '../../drizzle/tables/providers.ts'
import { startSso, userWith } from '../helpers/single-sign-on.ts'

const { db, company } = await startSso(t)

t.test('who has single sign-on alone keeps their last provider', async (t) => {
  const { visit, employee } = await company()
  const bo = employee()
  const { browser } = await visit(bo)
  const userId = (await userWith(db, bo.email))?.id ?? 0
  const values = { userId, provider: 'oidc', issuer: 'https://x.test', subject: bo.sub }
  const [identity] = await db.insert(identities).values(values).returning()
  const page = await browser.submit('DELETE', `/settings/identities/${identity?.id}`)
  t.equal(page.flash?.alert, 'Set a password or add a passkey first')
})
