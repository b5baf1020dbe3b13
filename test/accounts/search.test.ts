import t from 'tap'
import { memberships } from '../../drizzle/schema.ts'
import { sharedAcme, signedUp } from '../helpers/people.ts'

t.test('a search finds names without their accents, and managers filter by second factor', async (t) => {
  const { app, db, owner, join, account } = await sharedAcme(t)
  const member = await join('member')
  for (const name of ['Jürgen Özdemir', 'Kåre Sørensen', 'Strauß', 'ΕΛΈΝΗ']) {
    const { user } = await signedUp(app, { name })
    await db.insert(memberships).values({ accountId: account.id, userId: user.id, role: 'member' })
  }
  const found = async (query: string, { browser } = owner) =>
    (await browser.visit(`/acme/members?${query}`)).props.members?.map(({ name }: { name: string }) => name)
  t.same(await found('q=ozdemir'), ['Jürgen Özdemir'])
  t.same(await found('q=SORENSEN'), ['Kåre Sørensen'])
  t.same(await found('q=strauss'), ['Strauß'])
  t.same(await found(`q=${encodeURIComponent('ελενη')}`), ['ΕΛΈΝΗ'])
  t.same(await found('second_factor=yes'), [])
  t.equal((await found('second_factor=no'))?.length, 6)
  t.equal((await found('second_factor=yes', member))?.length, 6, 'which is for managers to know')
})

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
