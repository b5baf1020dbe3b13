import t from 'tap'
import { memberships } from '../../drizzle/schema.ts'
import { sharedAcme, signedUp } from '../helpers/people.ts'

t.test('a search finds names without their accents, and managers filter by second factor', async (t) => {
  const { app, db, owner, join, account } = await sharedAcme(t)
  const member = await join('member')
  for (const name of ['Jürgen Özdemir', 'Kåre Sørensen', 'Strauß', 'ΕΛΈΝΗ', '100% \\o/ under_score']) {
    const { user } = await signedUp(app, { name })
    await db.insert(memberships).values({ accountId: account.id, userId: user.id, role: 'member' })
  }
  const propsFor = async (name: string, value: string, { browser } = owner) =>
    (await browser.visit(`/acme/members?${name}=${encodeURIComponent(value)}`)).props
  const searches = { ozdemir: 'Jürgen Özdemir', SORENSEN: 'Kåre Sørensen', strauss: 'Strauß', ελενη: 'ΕΛΈΝΗ' }
  for (const [typed, name] of Object.entries(searches)) {
    const { members } = await propsFor('q', typed)
    t.same([members.length, members[0]?.name], [1, name], typed)
  }
  for (const wildcard of ['100%', '%', '_', '\\'])
    t.equal((await propsFor('q', wildcard)).search?.found, 1, 'wildcards are taken literally')
  t.equal((await propsFor('q', '\0')).search, undefined, 'what no name can hold is not looked for')
  t.equal((await propsFor('q', '  ')).search, undefined)

  t.same((await propsFor('second_factor', 'yes')).members, [])
  t.equal((await propsFor('second_factor', 'no')).members.length, 7)
  t.equal((await propsFor('second_factor', 'yes', member)).members.length, 7, 'which is for managers to know')
})
