import { and, eq } from 'drizzle-orm'
import t from 'tap'
import { memberships } from '../../drizzle/schema.ts'
import { invitationLinks } from '../../drizzle/tables/invitation-link.ts'
import type { Browser } from '../helpers/browser.ts'
import { startSquatted, startStolen, suspendUser } from '../helpers/endings.ts'
import { prove, sharedAcme, signedUp, verifiedUp, verify } from '../helpers/people.ts'
import { forgetActivities, recorded } from '../helpers/records.ts'

type Acme = Awaited<ReturnType<typeof sharedAcme>>

const remove = ({ owner }: Acme, { membershipId }: { membershipId: number }) =>
  owner.browser.submit('DELETE', `/acme/members/${membershipId}`)

/** Makes the link of a workspace, and returns its path. */
async function linkBy(browser: Browser, path = '/acme') {
  const { flash } = await browser.submit('POST', `${path}/invitation_link`)
  return new URL(String(flash?.invitation_link)).pathname
}

t.test('a link ends when who made it is no manager any more', async (t) => {
  const acme = await sharedAcme(t)
  const { owner, join } = acme
  const lower = ({ membershipId }: { membershipId: number }) =>
    owner.browser.submit('PATCH', `/acme/members/${membershipId}`, { role: 'member' })
  for (const end of [lower, (admin: { membershipId: number }) => remove(acme, admin)]) {
    const admin = await join('admin')
    const link = await linkBy(admin.browser)
    await end(admin)
    t.equal((await owner.browser.visit('/acme/members')).props.invitation_link, null)
    t.equal((await owner.browser.request('GET', link)).statusCode, 404)
  }
})

t.test('whoever made the link, a removed member may know it, so it ends, and the answer says so', async (t) => {
  const acme = await sharedAcme(t)
  const { owner, join } = acme
  const link = await linkBy(owner.browser)
  const leaver = await join('member')
  await leaver.browser.submit('DELETE', `/acme/members/${leaver.membershipId}`)
  t.ok((await owner.browser.visit('/acme/members')).props.invitation_link, 'not when somebody leaves')

  const removed = await verifiedUp(acme.app)
  await removed.browser.submit('POST', link)
  const membershipId = (await acme.membersNow()).at(-1)?.id ?? 0
  const page = await remove(acme, { membershipId })
  t.same(page.flash, { notice: 'Member removed', invitation_link_ended: true })
  t.equal(page.props.invitation_link, null)
  t.equal((await removed.browser.request('POST', link)).statusCode, 404)
  t.same((await remove(acme, await join('member'))).flash, { notice: 'Member removed' }, 'without a link, none ends')
})

t.test('who joins with the link while they are being removed is no member afterwards', async (t) => {
  const acme = await sharedAcme(t)
  const link = await linkBy(acme.owner.browser)
  const member = await acme.join('member')
  await verify(acme.db, member.user.id)
  const join = () => member.browser.request('POST', link)
  await Promise.all([join(), remove(acme, member), join(), join()])
  t.equal((await acme.membersNow()).length, 1)
})

t.test(
  "a claim ends the links of the user's workspaces and those they made elsewhere, also at that moment",
  async (t) => {
    const { app, db, squatter, claim } = await startSquatted(t)
    const friend = await verifiedUp(app)
    const accountId: number = (await squatter.browser.visit(`/${squatter.slug}`)).props.account.id
    const { browser } = await signedUp(app)
    const elsewhere = (await browser.submit('POST', '/accounts', { name: 'Acme' })).props.account.id
    await db.insert(memberships).values({ accountId: elsewhere, userId: squatter.user.id, role: 'admin' })
    await linkBy(squatter.browser)
    const link = await linkBy(squatter.browser, `/${squatter.slug}`)
    await Promise.all([
      claim(),
      friend.browser.request('POST', link),
      squatter.browser.request('POST', `/${squatter.slug}/invitation_link`),
    ])
    t.equal(await db.$count(memberships, eq(memberships.accountId, accountId)), 1)
    t.equal(await db.$count(invitationLinks), 0)
    t.equal((await friend.browser.request('POST', link)).statusCode, 404)
  },
)

t.test('an undone change of the address ends the links made since, also at that moment', async (t) => {
  const { db, owner, thief, restore } = await startStolen(t, async (_, { browser }) => {
    await browser.submit('POST', '/accounts', { name: 'Acme' })
    await linkBy(browser)
  })
  await prove(db, owner.user.id)
  const make = () => thief.browser.request('POST', `/${owner.slug}/invitation_link`)
  await make()
  await forgetActivities(db)
  await Promise.all([restore(), make()])
  t.equal(await db.$count(invitationLinks), 1, 'what is older stays')
  const [removed] = (await recorded(db)).filter(({ type }) => type === 'invitation_link_removed')
  t.match(removed, { actorId: null, ipAddress: null })
})

t.test('a suspension ends the links that the person made', async (t) => {
  const { app, db, account, owner, join } = await sharedAcme(t)
  const { browser, user } = await join('owner')
  await linkBy(browser)
  await suspendUser(app, user.id)
  t.equal(await db.$count(invitationLinks, and(eq(invitationLinks.accountId, account.id))), 0)
  const { activities } = (await owner.browser.visit('/acme/activity')).props
  t.equal(activities[0].type, 'invitation_link_removed')
})
