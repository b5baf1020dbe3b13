import { desc, eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { activities, invitations, memberships } from '../../drizzle/schema.ts'
import { Browser } from '../helpers/browser.ts'
import { invite, password, sharedAcme, sidOf, signedUp, tokenOf, verify } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

const invitee = { email: 'new@example.com', role: 'member' }
const sent = { notice: 'Invitation sent to new@example.com' }
const expired = { alert: 'This invitation has expired' }
const notYours = { alert: 'This invitation is for new@example.com' }

async function startInviting(t: Test) {
  const started = await sharedAcme(t)
  const { app, db, owner, account } = started
  await forgetMails(db)
  const send = (body: object) => owner.browser.submit('POST', '/acme/invitations', body)
  const pending = async () => db.select().from(invitations).orderBy(invitations.id)
  const invited = (email = invitee.email, role = invitee.role) => invite(app, owner, '/acme', email, role)
  const accept = ({ browser }: { browser: Browser }, link: string) => browser.submit('POST', `${link}/accept`)
  const rolesOf = async ({ user }: { user: { id: number } }) => {
    const rows = await db.select().from(memberships).where(eq(memberships.userId, user.id)).orderBy(memberships.id)
    return rows.map(({ accountId, role }) => (accountId === account.id ? `${role} of Acme` : role))
  }
  return { ...started, send, pending, invited, accept, rolesOf }
}

t.test('an invitation is stored for a week, blocks none after that, and its mail is queued', async (t) => {
  const { db, clock, send, pending, owner, account } = await startInviting(t)
  const page = await send({ email: '  New@Example.com ', role: 'admin' })
  t.equal(page.url, '/acme/members')
  t.same(page.flash, sent)
  const [invitation] = await pending()
  const stored = { email: invitee.email, role: 'admin', inviterId: owner.user.id, accountId: account.id }
  t.match(invitation, { ...stored, tokenDigest: null })
  const hours = ((invitation?.expiresAt.getTime() ?? 0) - Date.now()) / 3_600_000
  t.ok(hours > 167 && hours <= 168)
  t.same(await queuedMails(db), [{ mail: 'account_invitation', invitationId: invitation?.id }])
  clock.forward({ days: 8 })
  t.same((await send(invitee)).flash, sent)
  const roles = (await pending()).map(({ role }) => role)
  t.same(roles, ['member'])
})

t.test('mistakes name the field, and neither store nor send anything', async (t) => {
  const { db, send, pending, owner } = await startInviting(t)
  await send({ ...invitee, email: 'pending@example.com' })
  await forgetMails(db)
  const noRole = { role: ['is not included in the list'] }
  const cases: [object, object][] = [
    [{ ...invitee, email: 'PENDING@example.com' }, { email: ['has already been invited'] }],
    [{ ...invitee, email: owner.person.email }, { email: ['is already a member'] }],
    [{ ...invitee, email: 'nobody' }, { email: ['is invalid'] }],
    [{ ...invitee, role: 'owner' }, noRole],
    [{ ...invitee, role: '' }, noRole],
    [{}, { email: ["can't be blank", 'is invalid'], ...noRole }],
  ]
  for (const [body, errors] of cases) {
    const page = await send(body)
    t.equal(page.url, '/acme/members')
    t.same(page.props.errors, errors)
  }
  const check = (body: object, only?: string) => owner.browser.precognize('POST', '/acme/invitations', body, only)
  t.same((await check({ email: 'nobody' }, 'email')).json(), { errors: { email: ['is invalid'] } })
  t.equal((await check(invitee)).statusCode, 204)
  t.equal((await pending()).length, 1)
  t.same(await queuedMails(db), [])
})

t.test('at most 500 invitations are open at once', async (t) => {
  const { db, clock, account, owner, send, join } = await startInviting(t)
  const values = (email: string, days: number) => {
    const expiresAt = new Date(Date.now() + days * 86_400_000)
    return { accountId: account.id, email, role: 'member' as const, expiresAt }
  }
  const open = Array.from({ length: 499 }, (_, index) => values(`guest-${index}@example.com`, 1 + (index % 2)))
  await db.insert(invitations).values(open)
  const [late] = await db.insert(invitations).values(values('late@example.com', -1)).returning()
  const admin = await join('admin')
  const refused = { email: ['too many invitations are open'] }
  const resend = (id = 0) => owner.browser.submit('POST', `/acme/invitations/${id}/resend`)

  const another = { ...invitee, email: 'another@example.com' }
  const both = await Promise.all([send(invitee), admin.browser.submit('POST', '/acme/invitations', another)])
  const refusals = both.map(({ props }) => props.errors).filter(({ email }) => email)
  t.same(refusals, [refused], 'decided by one after the other')
  const third = { ...invitee, email: 'three@example.com' }
  t.same((await owner.browser.precognize('POST', '/acme/invitations', third)).json().errors, refused)
  t.same((await resend(late?.id)).props.errors, refused, 'resending an expired one opens it again')
  const [first] = await db.select().from(invitations).where(eq(invitations.email, 'guest-1@example.com'))
  t.same((await resend(first?.id)).flash, { notice: 'Invitation sent to guest-1@example.com' })
  t.equal((await queuedMails(db)).filter(({ mail }) => mail === 'account_invitation').length, 2)

  clock.forward({ hours: 30 })
  t.same((await send(third)).flash, { notice: 'Invitation sent to three@example.com' })
})

t.test('resending invalidates the older link; revoking invalidates all', async (t) => {
  const { app, db, owner, invited, pending } = await startInviting(t)
  const { id, link: older } = await invited()
  const statusOf = async (link: string) => (await new Browser(app).send('GET', link)).statusCode
  await forgetMails(db)
  t.same((await owner.browser.submit('POST', `/acme/invitations/${id}/resend`)).flash, sent)
  t.same(await queuedMails(db), [{ mail: 'account_invitation', invitationId: id }])

  const newer = await tokenOf(app, id)
  const replaced = await new Browser(app).send('GET', older)
  t.equal(replaced.statusCode, 404)
  t.match(replaced.body, /"component":"invitations\\?\/void"/)
  t.notMatch(replaced.body, /account_name|@example/, 'it names nothing')
  const asked = await new Browser(app).send('GET', older, { headers: { accept: 'application/json' } })
  t.same(asked.json(), { status: 404, error: 'Not Found' })
  t.equal(await statusOf(`/invitations/${newer}`), 200)
  t.not((await pending())[0]?.tokenDigest, newer, 'only a digest is stored')

  const revoked = await owner.browser.submit('DELETE', `/acme/invitations/${id}`)
  t.equal(revoked.url, '/acme/members')
  t.same(revoked.flash, { notice: 'Invitation revoked' })
  t.same(await pending(), [])
  t.equal(await statusOf(`/invitations/${newer}`), 404)
  t.equal((await owner.browser.request('DELETE', '/acme/invitations/999', { body: {} })).statusCode, 404)
  t.equal((await owner.browser.request('POST', '/acme/invitations/999/resend', { body: {} })).statusCode, 404)
})

t.test('all expired invitations are sent again at once, but for addresses that had too many mails', async (t) => {
  const { app, db, owner, join, account } = await sharedAcme(t)
  const common = { accountId: account.id, role: 'member' as const, expiresAt: new Date() }
  const emails = Array.from({ length: 60 }, (_, n) => `late-${n}@example.com`)
  await db.insert(invitations).values(emails.map((email) => ({ ...common, email })))
  t.match((await owner.browser.visit('/acme/members')).props.expired_invitations, 60, 'more than a page of the list')

  const member = await join('member')
  const resend = async ({ browser }: typeof owner | typeof member) =>
    (await browser.submit('POST', '/acme/invitations/resend')).flash
  t.same(await resend(member), { alert: "You don't have permission to do that" })
  t.same(await resend(owner), { alert: 'Invitations sent again: 10 of 60. Try the others later' }, 'while unverified')
  await verify(db, owner.user.id)
  t.same(await resend(owner), { alert: 'Invitations sent again: 40 of 50. Try the others later' }, 'fifty a day')
  const { props } = await owner.browser.visit('/acme/members')
  t.same([props.expired_invitations, app.now() < new Date(props.invitations[49].expires_at)], [10, true])
})

t.test('the page of an invitation', async (t) => {
  const { app, invited, owner, clock } = await startInviting(t)
  const { link } = await invited()
  const guest = (await new Browser(app).document(link)).page
  t.equal(guest.component, 'invitations/show')
  const { errors: _, auth: __, ...props } = guest.props
  t.same(props, {
    account_picture: null,
    account_name: 'Acme',
    inviter_name: owner.person.name,
    email: invitee.email,
    signed_in_as: null,
    expired: false,
  })
  const visitor = await signedUp(app)
  t.equal((await visitor.browser.visit(link)).props.signed_in_as, visitor.person.email)

  const headers = { 'x-inertia-partial-component': 'invitations/show', 'x-inertia-partial-data': 'details' }
  const { details } = (await visitor.browser.visit(link, headers)).props
  t.match(details, { role: 'member', expires_at: /Z$/, joined: null })
  t.equal((await new Browser(app).send('GET', '/invitations/unknown')).statusCode, 404)
  clock.forward({ days: 8 })
  t.equal((await new Browser(app).visit(link)).props.expired, true)
})

t.test('accepting takes a session with the invited address, works once, and for a week', async (t) => {
  const { app, invited, clock, accept, rolesOf } = await startInviting(t)
  const someone = await signedUp(app, { email: invitee.email })
  const { link } = await invited()
  t.equal((await accept({ browser: await Browser.open(app) }, link)).component, 'auth/sign-in')

  const other = await signedUp(app)
  const refused = await accept(other, link)
  t.equal(refused.component, 'invitations/show')
  t.match(refused.props, { email: invitee.email, signed_in_as: other.person.email })
  t.same(refused.flash, notYours)
  t.same(await rolesOf(other), ['owner'], 'the memberships of others stay as they are')
  t.equal((await someone.browser.precognize('POST', `${link}/accept`, {})).statusCode, 400)
  t.same(await rolesOf(someone), ['owner'])

  const page = await accept(someone, link)
  t.equal(page.url, '/acme')
  t.same(page.flash, { notice: 'Welcome to Acme' })
  t.same(await rolesOf(someone), ['owner', 'member of Acme'])
  t.equal((await new Browser(app).visit(link)).props.expired, true)
  t.same((await accept(someone, link)).flash, expired)
  t.same(await rolesOf(someone), ['owner', 'member of Acme'])

  const late = await signedUp(app, { email: 'late@example.com' })
  const lateLink = (await invited('late@example.com')).link
  clock.forward({ days: 8 })
  const tooLate = await accept(late, lateLink)
  t.equal(tooLate.component, 'invitations/show')
  t.match(tooLate.props, { expired: true, signed_in_as: 'late@example.com' })
  t.same(tooLate.flash, expired)
  t.same(await rolesOf(late), ['owner'])
})

t.test('declining takes a session with the invited address, and the invitation is gone for both sides', async (t) => {
  const { app, db, invited, clock, pending } = await startInviting(t)
  const { browser, slug, person } = await signedUp(app, { email: invitee.email })
  const { link } = await invited()
  const decline = (by: Browser, of = link) => by.submit('POST', `${of}/decline`)

  t.equal((await decline(await Browser.open(app))).component, 'auth/sign-in')
  t.same((await decline((await signedUp(app)).browser)).flash, notYours)
  t.equal((await browser.precognize('POST', `${link}/decline`, {})).statusCode, 400)
  t.equal((await pending()).length, 1)

  const page = await decline(browser)
  t.equal(page.url, `/${slug}`)
  t.same(page.flash, { notice: 'Invitation declined' })
  t.same(await pending(), [])
  t.equal((await browser.request('GET', link)).statusCode, 404)
  t.equal((await browser.request('POST', `${link}/accept`, { body: {} })).statusCode, 404)
  const [latest] = await db.select().from(activities).orderBy(desc(activities.id)).limit(1)
  t.match(latest, { type: 'invitation_declined', actorName: person.name })

  const again = await invited()
  clock.forward({ days: 8 })
  t.same((await decline(browser, again.link)).flash, expired)
})

t.test('existing members keep their role', async (t) => {
  const { app, db, invited, account, accept, rolesOf } = await startInviting(t)
  const { link } = await invited(invitee.email, 'admin')
  const someone = await signedUp(app, { email: invitee.email })
  await db.insert(memberships).values({ accountId: account.id, userId: someone.user.id, role: 'member' })
  t.same((await accept(someone, link)).flash, { notice: 'Welcome to Acme' })
  t.same(await rolesOf(someone), ['owner', 'member of Acme'])
})

t.test('one invitation accepted twenty times at once makes one member', async (t) => {
  const { app, invited, rolesOf } = await startInviting(t)
  const { link } = await invited()
  const someone = await signedUp(app, { email: invitee.email })
  const send = () => someone.browser.request('POST', `${link}/accept`, { body: {} })
  const locations = (await Promise.all(Array.from({ length: 20 }, send))).map(({ headers }) => headers.location)
  t.same(locations.sort(), ['/acme', ...Array(19).fill(link)])
  t.same(await rolesOf(someone), ['owner', 'member of Acme'])
})

t.test('signing in carries the invitation', async (t) => {
  const { app, invited } = await startInviting(t)
  const { link, token } = await invited()
  const { person, user } = await signedUp(app, { email: invitee.email })
  const browser = await Browser.open(app)
  const carried = `/sign_in?invitation=${token}`
  t.equal((await browser.visit(carried)).props.invitation.token, token)
  const leads = async (method: 'POST' | 'PATCH', url: string, body: object) =>
    (await browser.request(method, url, { body })).headers.location

  const { email } = person
  t.equal(await leads('POST', '/sign_in', { email, password: 'wrong', invitation: token }), carried)
  t.equal(await leads('POST', '/identity/password_reset', { email, invitation: token }), carried)
  const sid = await sidOf(app, 'password_reset', user.id)
  const fresh = { sid, password, password_confirmation: password }
  t.equal(await leads('PATCH', '/identity/password_reset', fresh), carried, 'also through a forgotten password')
  t.equal(await leads('POST', carried, { email, password }), link)
})
