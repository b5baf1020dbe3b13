import t from 'tap'
import { memberships } from '../../drizzle/schema.ts'
import { sharedAcme } from '../helpers/accounts.ts'
import { signedUp } from '../helpers/people.ts'

t.test('a search treats wildcards literally', async (t) => {
  const { app, db, owner, account } = await sharedAcme(t)
  const percent = await signedUp(app, { name: '100% \\o/ under_score' })
  await db.insert(memberships).values({ accountId: account.id, userId: percent.user.id, role: 'member' })
  const found = async (q: string) =>
    (await owner.browser.visit(`/acme/members?q=${encodeURIComponent(q)}`)).props.search?.found
  t.equal(await found('100%'), 1)
  t.equal(await found('%'), 1)
  t.equal(await found('_'), 1)
  t.equal(await found('\\'), 1)
  t.equal(await found('\0'), undefined, 'what no name can hold is not looked for')
  t.equal(await found('  '), undefined)
})
