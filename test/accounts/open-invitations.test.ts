import { desc, eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { activities, invitations, memberships, users } from '../../drizzle/schema.ts'
import { mintLink } from '../../features/identity/links.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser, type Page } from '../helpers/browser.ts'
import { forgotten, password, signedIn, signedUp, startAcme, tokenOf, verifiedUp } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

async function startInvited(t: Test) {
  const started = await sharedApp(t)
  const acme = await startAcme(started.app)
  const invited = await verifiedUp(started.app, { email: 'new@example.com' })
  const invite = async (role = 'member') => {
    await acme.owner.browser.submit('POST', '/acme/invitations', { email: 'new@example.com', role })
    const [invitation] = await started.db.select().from(invitations).where(eq(invitations.email, 'new@example.com'))
    return invitation?.id ?? 0
  }
  return { ...started, ...acme, invited, invite }
}

const held = ({ onceProps }: Page) => ({ 'x-inertia-except-once-props': Object.keys(onceProps as object).join() })

t.test('people with a verified address see what they are invited to, once', async (t) => {
  const { clock, db, owner, invited, invite } = await startInvited(t)
  const { browser, slug } = invited
  const before = await browser.document(`/${slug}`)
  t.same(before.page.props.open_invitations, [])
  const id = await invite()

  const { page } = await browser.document(`/${slug}`)
  t.same(page.props.open_invitations, [{ id, account_name: 'Acme', inviter_name: owner.person.name }])
  t.match((await browser.document('/settings/profile')).page.props.open_invitations, [{ id }])
  for (const url of [`/${slug}`, '/settings/profile']) {
    const again = await browser.request('GET', url, { headers: held(page) })
    t.notOk('open_invitations' in again.json().props, url)
  }

  await db.update(users).set({ verified: false }).where(eq(users.id, invited.user.id))
  t.same((await browser.visit(`/${slug}`)).props.open_invitations, [])
  await db.update(users).set({ verified: true }).where(eq(users.id, invited.user.id))
  clock.forward({ days: 8 })
  t.same((await browser.visit(`/${slug}`)).props.open_invitations, [], 'it has expired')
})

t.test('an invitation is seen and accepted without its mail', async (t) => {
  const { invited, invite } = await startInvited(t)
  const id = await invite('admin')
  const { browser, person } = invited
  const page = await browser.visit(`/invitations/open/${id}`)
  t.equal(page.component, 'invitations/show')
  t.match(page.props, { account_name: 'Acme', email: person.email, signed_in_as: person.email, expired: false })
  t.equal((await browser.precognize('POST', `/invitations/open/${id}/accept`, {})).statusCode, 400)

  const joined = await browser.submit('POST', `/invitations/open/${id}/accept`)
  t.equal(joined.url, '/acme')
  t.same(joined.flash, { notice: 'Welcome to Acme' })
  t.same(joined.props.membership, { role: 'admin' })
  t.same(joined.props.open_invitations, [])

  t.equal((await browser.visit(`/invitations/open/${id}`)).props.expired, true)
  const asked = { 'x-inertia-partial-component': 'invitations/show', 'x-inertia-partial-data': 'details' }
  t.equal((await browser.visit(`/invitations/open/${id}`, asked)).props.details.joined, 'acme')
  for (const answer of ['accept', 'decline']) {
    const again = await browser.submit('POST', `/invitations/open/${id}/${answer}`)
    t.same(again.flash, { alert: 'This invitation has expired' })
    t.equal(again.url, `/invitations/open/${id}`)
  }
})

t.test('a user who has not proved the address gets the mail again, and accepts with its link', async (t) => {
  const { app, db, invited, invite } = await startInvited(t)
  const { browser, person, user } = invited
  await db.update(users).set({ provedEmail: null }) // a mail scanner opened the link
  const id = await invite('admin')
  await forgetMails(db)
  const accept = () => browser.submit('POST', `/invitations/open/${id}/accept`)
  const refused = await accept()
  t.equal(refused.url, `/invitations/open/${id}`)
  t.same(refused.flash, { alert: `Open the link that we sent to ${person.email}` })
  t.match(await queuedMails(db), [{ mail: 'account_invitation', invitationId: id }])
  t.equal(await db.$count(memberships, eq(memberships.userId, user.id)), 1)

  const joined = await browser.submit('POST', `/invitations/${await tokenOf(app, id)}/accept`)
  t.same(joined.flash, { notice: 'Welcome to Acme' })
  t.match(await db.select().from(users).where(eq(users.id, user.id)), [{ provedEmail: person.email }])
})

t.test('the address counts as proved by a link opened in a session of its user, and by a reset', async (t) => {
  const { app, db, invite } = await startInvited(t)
  const url = `/invitations/open/${await invite()}/accept`
  const [row] = await db.select().from(users).where(eq(users.email, 'new@example.com'))
  if (!row) throw new Error('the user is gone')
  const reset = async (values: Partial<typeof row>) =>
    (
      await db
        .update(users)
        .set({ provedEmail: null, ...values })
        .where(eq(users.id, row.id))
        .returning()
    )[0] ?? row
  const { browser } = await signedIn(app, { email: row.email, password })
  const link = async () =>
    `/identity/email_verification?sid=${mintLink(app.tokens, 'email_verification', await reset({ verified: false }))}`

  const stranger = await signedUp(app)
  for (const elsewhere of [new Browser(app), stranger.browser]) {
    await elsewhere.visit(await link())
    t.match((await browser.submit('POST', url)).flash, { alert: /^Open the link/ })
  }
  await browser.visit(await link())
  t.same((await browser.submit('POST', url)).flash, { notice: 'Welcome to Acme' })

  await reset({})
  await forgotten(app, row.id)
  t.match(await db.select().from(users).where(eq(users.id, row.id)), [{ provedEmail: row.email }])
})

t.test('an invitation is declined without its mail', async (t) => {
  const { db, invited, invite } = await startInvited(t)
  const id = await invite()
  const page = await invited.browser.submit('POST', `/invitations/open/${id}/decline`)
  t.equal(page.url, `/${invited.slug}`)
  t.same(page.flash, { notice: 'Invitation declined' })
  t.same(page.props.open_invitations, [])
  t.same(await db.select().from(invitations), [])
  const [latest] = await db.select().from(activities).orderBy(desc(activities.id)).limit(1)
  t.match(latest, { type: 'invitation_declined', actorName: invited.person.name })
})

t.test('an expired invitation is neither accepted nor declined', async (t) => {
  const { clock, invited, invite } = await startInvited(t)
  const id = await invite()
  clock.forward({ days: 8 })
  t.equal((await invited.browser.visit(`/invitations/open/${id}`)).props.expired, true)
  for (const answer of ['accept', 'decline']) {
    const refused = await invited.browser.submit('POST', `/invitations/open/${id}/${answer}`)
    t.same(refused.flash, { alert: 'This invitation has expired' })
  }
})

t.test('an id opens an invitation only for its verified address', async (t) => {
  const { app, db, owner, invited, invite } = await startInvited(t)
  const id = await invite()
  const isNotThere = async (browser: Browser, whom: string) => {
    t.equal((await browser.request('GET', `/invitations/open/${id}`)).statusCode, 404, whom)
    for (const answer of ['accept', 'decline']) {
      const response = await browser.request('POST', `/invitations/open/${id}/${answer}`, { body: {} })
      t.equal(response.statusCode, 404, whom)
    }
  }
  await isNotThere((await signedUp(app)).browser, 'a stranger')
  await isNotThere((await verifiedUp(app)).browser, 'a stranger with a verified address')
  await isNotThere(owner.browser, 'the inviter')
  await db.update(users).set({ verified: false }).where(eq(users.id, invited.user.id))
  await isNotThere(invited.browser, 'somebody who claims the address')
  const guest = await Browser.open(app)
  t.equal((await guest.visit(`/invitations/open/${id}`)).component, 'auth/sign-in')
  t.equal((await guest.submit('POST', `/invitations/open/${id}/accept`)).component, 'auth/sign-in')
  for (const url of ['/invitations/open/0', '/invitations/open/x', '/invitations/open']) {
    t.equal((await invited.browser.request('GET', url)).statusCode, 404, url)
  }
  t.equal((await db.select().from(invitations)).length, 1)
})
