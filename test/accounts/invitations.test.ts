import { desc, eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { activities, invitations, memberships, users } from '../../drizzle/schema.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password, sidOf, signedUp, somebody, startAcme, tokenOf } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

async function startInviting(t: Test, environment?: Record<string, string>) {
  const started = await sharedApp(t)
  const acme = await startAcme(started.app)
  await forgetMails(started.db)
  const invite = (body: object) => acme.owner.browser.submit('POST', '/acme/invitations', body)
  const pending = async () => started.db.select().from(invitations).orderBy(invitations.id)
  const token = async (email = 'new@example.com', role = 'member') => {
    await invite({ email, role })
    const [invitation] = await started.db.select().from(invitations).where(eq(invitations.email, email))
    return tokenOf(started.app, invitation?.id ?? 0)
  }
  return { ...started, ...acme, invite, pending, token, environment }
}

t.test('an invitation is stored for a week, and its mail queued', async (t) => {
  const { db, invite, pending, owner, account } = await startInviting(t)
  const page = await invite({ email: '  New@Example.com ', role: 'admin' })
  t.equal(page.url, '/acme/members')
  t.same(page.flash, { notice: 'Invitation sent to new@example.com' })
  const [invitation] = await pending()
  t.match(invitation, {
    email: 'new@example.com',
    role: 'admin',
    inviterId: owner.user.id,
    accountId: account.id,
    tokenDigest: null,
  })
  const hours = ((invitation?.expiresAt.getTime() ?? 0) - Date.now()) / 3_600_000
  t.ok(hours > 167 && hours <= 168)
  t.same(await queuedMails(db), [{ mail: 'account_invitation', invitationId: invitation?.id }])
})

t.test('mistakes name the field, and neither store nor send anything', async (t) => {
  const { db, invite, pending, owner } = await startInviting(t)
  await invite({ email: 'pending@example.com', role: 'member' })
  await forgetMails(db)
  const cases: [object, object][] = [
    [{ email: 'PENDING@example.com', role: 'member' }, { email: ['has already been invited'] }],
    [{ email: owner.person.email, role: 'member' }, { email: ['is already a member'] }],
    [{ email: 'nobody', role: 'member' }, { email: ['is invalid'] }],
    [{ email: 'new@example.com', role: 'owner' }, { role: ['is not included in the list'] }],
    [{ email: 'new@example.com', role: '' }, { role: ['is not included in the list'] }],
    [{}, { email: ["can't be blank", 'is invalid'], role: ['is not included in the list'] }],
  ]
  for (const [body, errors] of cases) {
    const page = await invite(body)
    t.equal(page.url, '/acme/members')
    t.same(page.props.errors, errors)
  }
  t.equal((await pending()).length, 1)
  t.same(await queuedMails(db), [])
})

t.test('an expired invitation does not block a new one', async (t) => {
  const { clock, invite, pending } = await startInviting(t)
  await invite({ email: 'new@example.com', role: 'member' })
  clock.forward({ days: 8 })
  t.same((await invite({ email: 'new@example.com', role: 'admin' })).flash, {
    notice: 'Invitation sent to new@example.com',
  })
  t.match(await pending(), [{ role: 'admin' }])
})

t.test('at most 500 invitations are open at once', async (t) => {
  const { db, clock, account, owner, invite, join } = await startInviting(t)
  const values = (email: string, days: number) => {
    const expiresAt = new Date(Date.now() + days * 86_400_000)
    return { accountId: account.id, email, role: 'member' as const, expiresAt }
  }
  const open = Array.from({ length: 499 }, (_, index) => values(`guest-${index}@example.com`, 1 + (index % 2)))
  await db.insert(invitations).values(open)
  const [expired] = await db.insert(invitations).values(values('late@example.com', -1)).returning()
  const admin = await join('admin')
  const refused = { email: ['too many invitations are open'] }

  const invitee = (name: string) => ({ email: `${name}@example.com`, role: 'member' })
  const [one, two] = await Promise.all([
    invite(invitee('one')),
    admin.browser.submit('POST', '/acme/invitations', invitee('two')),
  ])
  t.same(
    [one.props.errors, two.props.errors].filter(({ email }) => email),
    [refused],
    'decided by one after the other',
  )
  const checked = await owner.browser.precognize('POST', '/acme/invitations', invitee('three'))
  t.same(checked.json().errors, refused)
  const again = await owner.browser.submit('POST', `/acme/invitations/${expired?.id}/resend`)
  t.same(again.props.errors, refused, 'resending an expired one opens it again')
  const [first] = await db.select().from(invitations).where(eq(invitations.email, 'guest-1@example.com'))
  const notice = 'Invitation sent to guest-1@example.com'
  t.same((await owner.browser.submit('POST', `/acme/invitations/${first?.id}/resend`)).flash, { notice })
  t.equal((await queuedMails(db)).filter(({ mail }) => mail === 'account_invitation').length, 2)

  clock.forward({ hours: 30 })
  t.same((await invite(invitee('three'))).flash, { notice: 'Invitation sent to three@example.com' })
})

t.test('precognition answers, and sends nothing', async (t) => {
  const { db, owner, pending } = await startInviting(t)
  const wrong = await owner.browser.precognize('POST', '/acme/invitations', { email: 'nobody' }, 'email')
  t.same(wrong.json(), { errors: { email: ['is invalid'] } })
  const right = { email: 'new@example.com', role: 'member' }
  t.equal((await owner.browser.precognize('POST', '/acme/invitations', right)).statusCode, 204)
  t.same(await pending(), [])
  t.same(await queuedMails(db), [])
})

t.test('resending invalidates the older link; revoking invalidates all', async (t) => {
  const { app, db, owner, token, pending } = await startInviting(t)
  const older = await token()
  const [invitation] = await pending()
  await forgetMails(db)
  const page = await owner.browser.submit('POST', `/acme/invitations/${invitation?.id}/resend`)
  t.same(page.flash, { notice: 'Invitation sent to new@example.com' })
  t.same(await queuedMails(db), [{ mail: 'account_invitation', invitationId: invitation?.id }])

  const newer = await tokenOf(app, invitation?.id ?? 0)
  t.equal((await new Browser(app).send('GET', `/invitations/${older}`)).statusCode, 404)
  t.equal((await new Browser(app).send('GET', `/invitations/${newer}`)).statusCode, 200)
  const [stored] = await pending()
  t.not(stored?.tokenDigest, newer, 'only a digest is stored')

  const revoked = await owner.browser.submit('DELETE', `/acme/invitations/${invitation?.id}`)
  t.equal(revoked.url, '/acme/members')
  t.same(revoked.flash, { notice: 'Invitation revoked' })
  t.same(await pending(), [])
  t.equal((await new Browser(app).send('GET', `/invitations/${newer}`)).statusCode, 404)
  t.equal((await owner.browser.request('DELETE', '/acme/invitations/999', { body: {} })).statusCode, 404)
  t.equal((await owner.browser.request('POST', '/acme/invitations/999/resend', { body: {} })).statusCode, 404)
})

t.test('the page of an invitation', async (t) => {
  const { app, token, owner, clock } = await startInviting(t)
  const link = `/invitations/${await token()}`
  const guest = (await new Browser(app).document(link)).page
  t.equal(guest.component, 'invitations/show')
  const { errors: _, auth: __, ...props } = guest.props
  t.same(props, {
    account_picture: null,
    account_name: 'Acme',
    inviter_name: owner.person.name,
    email: 'new@example.com',
    signed_in_as: null,
    expired: false,
  })
  const visitor = await signedUp(app)
  t.equal((await visitor.browser.visit(link)).props.signed_in_as, visitor.person.email)

  const headers = { 'x-inertia-partial-component': 'invitations/show', 'x-inertia-partial-data': 'details' }
  const details = async ({ browser }: { browser: Browser }) =>
    (await browser.request('GET', link, { headers })).json().props.details
  t.match(await details(visitor), { role: 'member', expires_at: /Z$/, joined: null })
  t.equal((await new Browser(app).send('GET', '/invitations/unknown')).statusCode, 404)
  clock.forward({ days: 8 })
  t.equal((await new Browser(app).visit(link)).props.expired, true)
})

t.test('accepting', async (t) => {
  const { app, db, token, account, clock } = await startInviting(t)
  const invited = await signedUp(app, { email: 'new@example.com' })
  const mine = async () => db.select().from(memberships).where(eq(memberships.userId, invited.user.id))
  const accept = (browser: Browser, link: string) => browser.submit('POST', `/invitations/${link}/accept`)

  await t.test('requires a signed-in user', async (t) => {
    t.equal((await accept(await Browser.open(app), await token())).component, 'auth/sign-in')
  })
  const link = await tokenOf(app, (await db.select().from(invitations))[0]?.id ?? 0)
  await t.test('requires the invited address', async (t) => {
    const other = await signedUp(app)
    const page = await accept(other.browser, link)
    t.equal(page.component, 'invitations/show')
    t.match(page.props, { email: 'new@example.com', signed_in_as: other.person.email })
    t.same(page.flash, { alert: 'This invitation is for new@example.com' })
    const roles = await db.select().from(memberships).where(eq(memberships.userId, other.user.id))
    t.match(roles, [{ role: 'owner' }], 'and leaves the memberships of others alone')
  })
  await t.test('is never precognitive', async (t) => {
    t.equal((await invited.browser.precognize('POST', `/invitations/${link}/accept`, {})).statusCode, 400)
    t.equal((await mine()).length, 1)
  })
  await t.test('makes a member, once', async (t) => {
    const page = await accept(invited.browser, link)
    t.equal(page.url, '/acme')
    t.same(page.flash, { notice: 'Welcome to Acme' })
    t.match((await mine()).at(-1), { accountId: account.id, role: 'member' })
    t.equal((await new Browser(app).visit(`/invitations/${link}`)).props.expired, true)
    t.same((await accept(invited.browser, link)).flash, { alert: 'This invitation has expired' })
    t.equal((await mine()).length, 2)
  })
  await t.test('comes too late after a week', async (t) => {
    const late = await signedUp(app, { email: 'late@example.com' })
    const lateLink = await token('late@example.com')
    clock.forward({ days: 8 })
    const page = await accept(late.browser, lateLink)
    t.equal(page.component, 'invitations/show')
    t.match(page.props, { expired: true, signed_in_as: 'late@example.com' })
    t.same(page.flash, { alert: 'This invitation has expired' })
    t.equal((await db.select().from(memberships).where(eq(memberships.userId, late.user.id))).length, 1)
  })
})

t.test('declining', async (t) => {
  const { app, db, token, clock } = await startInviting(t)
  const invited = await signedUp(app, { email: 'new@example.com' })
  const link = await token()
  const decline = (browser: Browser, of = link) => browser.submit('POST', `/invitations/${of}/decline`)

  t.equal((await decline(await Browser.open(app))).component, 'auth/sign-in')
  const other = await signedUp(app)
  t.same((await decline(other.browser)).flash, { alert: 'This invitation is for new@example.com' })
  t.equal((await invited.browser.precognize('POST', `/invitations/${link}/decline`, {})).statusCode, 400)
  t.equal((await db.select().from(invitations)).length, 1)

  const page = await decline(invited.browser)
  t.equal(page.url, `/${invited.slug}`)
  t.same(page.flash, { notice: 'Invitation declined' })
  t.same(await db.select().from(invitations), [], 'it is gone for both sides')
  t.equal((await invited.browser.request('GET', `/invitations/${link}`)).statusCode, 404)
  t.equal((await invited.browser.request('POST', `/invitations/${link}/accept`, { body: {} })).statusCode, 404)
  const [latest] = await db.select().from(activities).orderBy(desc(activities.id)).limit(1)
  t.match(latest, { type: 'invitation_declined', actorName: invited.person.name })

  const again = await token()
  clock.forward({ days: 8 })
  t.same((await decline(invited.browser, again)).flash, { alert: 'This invitation has expired' })
})

t.test('existing members keep their role', async (t) => {
  const { app, db, token, account } = await startInviting(t)
  const link = await token('new@example.com', 'admin')
  const invited = await signedUp(app, { email: 'new@example.com' })
  await db.insert(memberships).values({ accountId: account.id, userId: invited.user.id, role: 'member' })
  t.same((await invited.browser.submit('POST', `/invitations/${link}/accept`)).flash, { notice: 'Welcome to Acme' })
  const roles = await db.select().from(memberships).where(eq(memberships.userId, invited.user.id))
  const shownRoles = roles.map(({ role }) => role)
  t.same(shownRoles, ['owner', 'member'])
})

t.test('one invitation accepted twenty times at once makes one member', async (t) => {
  const { app, db, token, account } = await startInviting(t)
  const link = await token()
  const { browser, user } = await signedUp(app, { email: 'new@example.com' })
  const attempts = Array.from({ length: 20 }, () =>
    browser.request('POST', `/invitations/${link}/accept`, { body: {} }),
  )
  const locations = (await Promise.all(attempts)).map(({ headers }) => headers.location)
  t.equal(locations.filter((location) => location === '/acme').length, 1)
  t.equal(locations.filter((location) => location === `/invitations/${link}`).length, 19)
  const mine = await db.select().from(memberships).where(eq(memberships.userId, user.id))
  t.equal(mine.filter(({ accountId }) => accountId === account.id).length, 1)
})

t.test('signing up through an invitation', async (t) => {
  const { app, db, token, clock } = await startInviting(t)

  await t.test('joins, verified, and lands in the account', async (t) => {
    const link = await token('new@example.com', 'admin')
    await forgetMails(db)
    const browser = await Browser.open(app)
    const form = await browser.visit(`/sign_up?invitation=${link}`)
    t.same(form.props.invitation, { token: link, account_name: 'Acme', email: 'new@example.com' })
    const page = await browser.submit('POST', `/sign_up?invitation=${link}`, somebody({ email: ' New@example.com' }))
    t.equal(page.url, '/acme')
    t.same(page.flash, { notice: 'Welcome! You have signed up successfully' })
    t.match(page.props, { auth: { user: { verified: true } }, membership: { role: 'admin' } })
    t.same(await queuedMails(db), [])
    t.equal(page.props.accounts.length, 2, 'with a personal account like everyone')
  })
  await t.test('survives rejected forms', async (t) => {
    const link = await token('second@example.com')
    const browser = await Browser.open(app)
    const mistake = { ...somebody({ email: 'second@example.com' }), name: '', invitation: link }
    const response = await browser.request('POST', '/sign_up', { body: mistake })
    t.equal(response.headers.location, `/sign_up?invitation=${link}`)
  })
  await t.test('with another address is an ordinary sign-up, and the invitation stays', async (t) => {
    const link = await token('third@example.com')
    const browser = await Browser.open(app)
    const page = await browser.submit('POST', `/sign_up?invitation=${link}`, somebody({ name: 'Zoe' }))
    t.equal(page.url, '/zoe')
    t.equal(page.props.auth.user.verified, false)
    t.equal((await new Browser(app).visit(`/invitations/${link}`)).props.expired, false)
  })
  await t.test('with an expired link is an ordinary sign-up too', async (t) => {
    const link = await token('fourth@example.com')
    clock.forward({ days: 8 })
    const browser = await Browser.open(app)
    t.notOk('invitation' in (await browser.visit(`/sign_up?invitation=${link}`)).props)
    const page = await browser.submit('POST', `/sign_up?invitation=${link}`, somebody({ email: 'fourth@example.com' }))
    t.equal(page.props.auth.user.verified, false)
  })
})

t.test('signing in carries the invitation', async (t) => {
  const { app, token } = await startInviting(t)
  const link = await token()
  const { person, user } = await signedUp(app, { email: 'new@example.com' })
  const browser = await Browser.open(app)
  t.equal((await browser.visit(`/sign_in?invitation=${link}`)).props.invitation.token, link)

  const wrong = { email: person.email, password: 'wrong', invitation: link }
  const failed = await browser.request('POST', '/sign_in', { body: wrong })
  t.equal(failed.headers.location, `/sign_in?invitation=${link}`)

  const reset = { email: person.email, invitation: link }
  const asked = await browser.request('POST', '/identity/password_reset', { body: reset })
  t.equal(asked.headers.location, `/sign_in?invitation=${link}`)
  const sid = await sidOf(app, 'password_reset', user.id)
  const fresh = { sid, password, password_confirmation: password }
  const set = await browser.request('PATCH', '/identity/password_reset', { body: fresh })
  t.equal(set.headers.location, `/sign_in?invitation=${link}`, 'also through a forgotten password')

  const response = await browser.request('POST', `/sign_in?invitation=${link}`, {
    body: { email: person.email, password },
  })
  t.equal(response.headers.location, `/invitations/${link}`)
})

t.test('where sign-up is by invitation only', async (t) => {
  const started = await startApp(t, { SIGN_UP: 'invitation_only' })
  const { app, db, clock } = started
  const [inviter] = await db
    .insert(users)
    .values({ name: 'Ada', email: 'ada@example.com', passwordDigest: '' })
    .returning()
  const { createAccount } = await import('../../features/accounts/accounts.ts')
  const account = await db.transaction((tx) => createAccount(tx, 'Acme', inviter?.id ?? 0))
  const expiresAt = new Date(Date.now() + 7 * 86_400_000)
  const values = { accountId: account.id, email: 'new@example.com', role: 'member' as const, expiresAt }
  const [invitation] = await db.insert(invitations).values(values).returning()
  const link = await tokenOf(app, invitation?.id ?? 0)
  const refusal = { alert: 'Acme Accounts is invitation only. Ask an admin to invite you' }

  await t.test('an unknown token is rejected', async (t) => {
    const browser = await Browser.open(app)
    const toSignIn = { component: 'auth/sign-in', flash: refusal }
    t.match(await browser.visit('/sign_up?invitation=unknown'), toSignIn)
    for (const token of ['', 'unknown']) {
      t.match(await browser.submit('POST', '/sign_up', { ...somebody(), invitation: token }), toSignIn)
    }
    t.equal((await db.select().from(users)).length, 1)
    t.same(await queuedMails(db), [])
  })
  await t.test('another address redirects back to the form', async (t) => {
    const browser = await Browser.open(app)
    const response = await browser.request('POST', `/sign_up?invitation=${link}`, { body: somebody() })
    t.equal(response.headers.location, `/sign_up?invitation=${link}`)
    t.same((await browser.follow(response)).props.errors, { email: ['must be new@example.com, the address invited'] })
  })
  await t.test('the invited address joins', async (t) => {
    const browser = await Browser.open(app)
    const sign = await browser.visit(`/sign_in?invitation=${link}`)
    t.match(sign.props, { invitation_only: true, invitation: { token: link } })
    const page = await browser.submit('POST', `/sign_up?invitation=${link}`, somebody({ email: 'new@example.com' }))
    t.equal(page.url, '/acme')
  })
  await t.test('after a week the link no longer works', async (t) => {
    const [late] = await db
      .insert(invitations)
      .values({ ...values, email: 'late@example.com' })
      .returning()
    const lateLink = await tokenOf(app, late?.id ?? 0)
    clock.forward({ days: 8 })
    const browser = await Browser.open(app)
    t.same((await browser.visit(`/sign_up?invitation=${lateLink}`)).flash, refusal)
    const body = somebody({ email: 'late@example.com' })
    t.same((await browser.submit('POST', `/sign_up?invitation=${lateLink}`, body)).flash, refusal)
  })
})
