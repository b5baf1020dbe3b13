import { eq } from 'drizzle-orm'
import t from 'tap'
import { invitationLinks } from '../../drizzle/tables/invitation-link.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { somebody, startAcme, verifiedUp } from '../helpers/people.ts'
import { dump, recorded } from '../helpers/records.ts'

const { lines, logTo } = collectLines()
const { app, clock, db } = await startApp(t, { LOG_LEVEL: 'info' }, { logTo })
type Acme = Awaited<ReturnType<typeof startAcme>>

/** Makes the link as a manager does, and returns its path. */
async function linkOf({ path, owner }: Acme) {
  const page = await owner.browser.submit('POST', `${path}/invitation_link`)
  t.equal(page.flash?.notice, 'Invitation link created')
  return new URL(String(page.flash?.invitation_link)).pathname
}
const linkIn = async ({ path }: Acme, { browser }: { browser: Browser }) =>
  (await browser.visit(`${path}/members`)).props.invitation_link
const expired = { alert: 'This invitation has expired' }

t.test('a manager makes it, sees how it is used, replaces and removes it', async (t) => {
  const acme = await startAcme(app)
  const { owner, path, account } = acme
  t.equal(await linkIn(acme, owner), null)
  const link = await linkOf(acme)
  t.match(link, /^\/join\/[\w-]{43}$/)
  const again = await owner.browser.visit(`${path}/members`)
  t.notOk(again.flash?.invitation_link, 'shown once')
  t.same(Object.keys(again.props.invitation_link), ['created_at', 'expires_at', 'uses'])
  const member = await acme.join('member')
  t.equal(await linkIn(acme, member), undefined, 'nothing for members to see')
  for (const method of ['POST', 'DELETE'] as const) {
    const { flash } = await member.browser.submit(method, `${path}/invitation_link`)
    t.equal(flash?.alert, "You don't have permission to do that")
  }

  const { browser, user } = await verifiedUp(app)
  t.match((await browser.visit(link)).props, { account_name: 'Acme', signed_in_as: user.email, expired: false })
  const joined = await browser.submit('POST', link)
  t.match(joined, { component: 'accounts/show', flash: { notice: 'Welcome to Acme' } })
  t.equal(joined.props.membership.role, 'member')
  t.match(await linkIn(acme, owner), { uses: 1 })
  t.equal((await browser.submit('POST', link)).url, path, 'a member is led there')
  t.equal((await browser.visit(link)).component, 'invitations/join')
  t.match(await linkIn(acme, owner), { uses: 1 }, 'and is not counted twice')

  const second = await linkOf(acme)
  const replaced = await browser.request('GET', link)
  t.equal(replaced.statusCode, 404)
  t.match(replaced.body, /"component":"invitations\\?\/void"/)
  const removed = await owner.browser.submit('DELETE', `${path}/invitation_link`)
  t.match(removed, { flash: { notice: 'Invitation link removed' }, props: { invitation_link: null } })
  t.equal((await browser.request('POST', second)).statusCode, 404, 'removed')
  const found = (await recorded(db)).filter(({ accountId }) => accountId === account.id)
  const types = found.map(({ type }) => type).filter((type) => /link|joined/.test(type))
  const made = 'invitation_link_created'
  t.same(types, [made, 'member_joined', made, 'invitation_link_removed'])
  t.match(found.find(({ type }) => type === 'member_joined')?.details, { role: 'member', by: 'link' })
})

t.test('nobody joins without a session and a verified address', async (t) => {
  const acme = await startAcme(app)
  const link = await linkOf(acme)
  const guest = await Browser.open(app)
  t.match((await guest.visit(link)).props, { signed_in_as: null, inviter_name: acme.owner.person.name })
  t.equal((await app.inject(link)).headers['x-robots-tag'], 'noindex')
  t.match((await app.inject('/robots.txt')).body, 'Disallow: /join/\n')
  t.equal((await guest.submit('POST', link)).component, 'auth/sign-in')
  const returning = `return_to=${encodeURIComponent(link)}`
  t.equal((await guest.visit(`/sign_up?${returning}`)).props.return_to, link)
  const refused = await guest.submit('POST', `/sign_up?${returning}`, somebody({ email: 'nobody' }))
  t.match(refused, { component: 'auth/sign-up', props: { return_to: link } })
  const page = await guest.submit('POST', `/sign_up?${returning}`, somebody())
  t.match(page, { url: link, flash: { notice: 'Welcome! You have signed up successfully' } })
  t.match(await guest.submit('POST', link), { url: link, flash: { alert: 'Verify your email first' } })
  t.equal((await acme.membersNow()).length, 1)

  const submit = async (url: string, body: object) => (await Browser.open(app)).submit('POST', url, body)
  const elsewhere = await submit('/sign_up?return_to=/settings/profile', somebody())
  t.equal(elsewhere.component, 'accounts/show', 'other pages are not for newcomers')
  const { person } = await verifiedUp(app)
  t.equal((await submit(`/sign_in?${returning}`, person)).url, link)
})

t.test('it ends after a week, and after a hundred people', async (t) => {
  const acme = await startAcme(app)
  const link = await linkOf(acme)
  const ofAcme = eq(invitationLinks.accountId, acme.account.id)
  await db.update(invitationLinks).set({ uses: 99 }).where(ofAcme)
  const [ana, ben] = [await verifiedUp(app), await verifiedUp(app)]
  const pages = await Promise.all([ana, ben].map(({ browser }) => browser.submit('POST', link)))
  t.same(pages.map(({ flash }) => flash?.notice ?? flash?.alert).toSorted(), [expired.alert, 'Welcome to Acme'])
  t.equal((await acme.membersNow()).length, 2)
  t.match(await linkIn(acme, acme.owner), { uses: 100 })
  const late = await verifiedUp(app)
  t.equal((await late.browser.visit(link)).props.expired, true)

  const another = await linkOf(acme)
  clock.forward({ days: 7 })
  t.equal((await late.browser.visit(another)).props.expired, true)
  t.match(await late.browser.submit('POST', another), { component: 'invitations/join', flash: expired })
})

t.test('its token is in no log, table or activity', async (t) => {
  const acme = await startAcme(app)
  const link = await linkOf(acme)
  const { browser } = await verifiedUp(app)
  await browser.submit('POST', link)
  await browser.request('PATCH', link)
  const everything = [await dump(db), JSON.stringify(lines)].join()
  t.match(everything, acme.owner.person.email)
  t.notOk(everything.includes(link.slice('/join/'.length + 4)))
})
