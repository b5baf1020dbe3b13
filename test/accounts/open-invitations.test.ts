import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { invitations, memberships, users } from '../../drizzle/schema.ts'
import { Browser, type Page } from '../helpers/browser.ts'
import { forgotten, invite, sharedAcme, sidOf, signedIn, signedUp, userRow, verifiedUp } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

const expired = { alert: 'This invitation has expired' }
const answers = ['accept', 'decline'] as const

async function startInvited(t: Test, role = 'member') {
  const started = await sharedAcme(t)
  const invited = await verifiedUp(started.app, { email: 'new@example.com' })
  const before = await invited.browser.document(`/${invited.slug}`)
  const { id, link } = await invite(started.app, started.owner, '/acme', invited.person.email, role)
  const url = `/invitations/open/${id}`
  const answer = (word: (typeof answers)[number]) => invited.browser.submit('POST', `${url}/${word}`)
  const update = (values: Partial<typeof users.$inferInsert>) =>
    started.db.update(users).set(values).where(eq(users.id, invited.user.id))
  return { ...started, ...invited, invited, before, id, link, url, answer, update }
}

const held = ({ onceProps }: Page) => ({ 'x-inertia-except-once-props': Object.keys(onceProps as object).join() })

t.test('people with a verified address see what they are invited to, once', async (t) => {
  const { clock, owner, browser, slug, before, id, url, answer, update } = await startInvited(t)
  t.same(before.page.props.open_invitations, [])
  const { page } = await browser.document(`/${slug}`)
  t.same(page.props.open_invitations, [{ id, account_name: 'Acme', inviter_name: owner.person.name }])
  t.match((await browser.document('/settings/profile')).page.props.open_invitations, [{ id }])
  for (const path of [`/${slug}`, '/settings/profile'])
    t.notOk('open_invitations' in (await browser.visit(path, held(page))).props, path)

  const shown = async () => (await browser.visit(`/${slug}`)).props.open_invitations
  await update({ verified: false })
  t.same(await shown(), [])
  await update({ verified: true })
  clock.forward({ days: 8 })
  t.same(await shown(), [], 'it has expired')
  t.equal((await browser.visit(url)).props.expired, true)
  for (const word of answers) t.same((await answer(word)).flash, expired)
})

t.test('an invitation is seen and accepted without its mail', async (t) => {
  const { browser, person, url, answer } = await startInvited(t, 'admin')
  const page = await browser.visit(url)
  t.equal(page.component, 'invitations/show')
  t.match(page.props, { account_name: 'Acme', email: person.email, signed_in_as: person.email, expired: false })
  t.equal((await browser.precognize('POST', `${url}/accept`, {})).statusCode, 400)

  const joined = await answer('accept')
  t.equal(joined.url, '/acme')
  t.same(joined.flash, { notice: 'Welcome to Acme' })
  t.same(joined.props.membership, { role: 'admin' })
  t.same(joined.props.open_invitations, [])

  t.equal((await browser.visit(url)).props.expired, true)
  const asked = { 'x-inertia-partial-component': 'invitations/show', 'x-inertia-partial-data': 'details' }
  t.equal((await browser.visit(url, asked)).props.details.joined, 'acme')
  for (const word of answers) {
    const again = await answer(word)
    t.same(again.flash, expired)
    t.equal(again.url, url)
  }
})

t.test('a user who has not proved the address gets the mail again, and answers with its link', async (t) => {
  const { db, browser, person, user, id, link, url, answer, update } = await startInvited(t)
  await update({ provedEmail: null }) // a mail scanner opened the link
  for (const word of answers) {
    await forgetMails(db)
    const refused = await answer(word)
    t.equal(refused.url, url)
    t.same(refused.flash, { alert: `Open the link that we sent to ${person.email}` })
    t.same(await queuedMails(db), [{ mail: 'account_invitation', invitationId: id }], word)
  }
  t.equal(await db.$count(invitations), 1)
  t.equal(await db.$count(memberships, eq(memberships.userId, user.id)), 1)

  t.same((await browser.submit('POST', `${link}/accept`)).flash, { notice: 'Welcome to Acme' })
  t.match(await userRow(db, user.id), { provedEmail: person.email })
})

t.test('the address counts as proved by a link opened in a session of its user, and by a reset', async (t) => {
  const { app, db, user, person, answer, update } = await startInvited(t)
  const { browser } = await signedIn(app, person)
  const verification = async () => {
    await update({ provedEmail: null, verified: false })
    return `/identity/email_verification?sid=${await sidOf(app, 'email_verification', user.id)}`
  }
  for (const elsewhere of [new Browser(app), (await signedUp(app)).browser]) {
    await elsewhere.visit(await verification())
    t.match((await answer('accept')).flash, { alert: /^Open the link/ })
  }
  await browser.visit(await verification())
  t.same((await answer('accept')).flash, { notice: 'Welcome to Acme' })

  await update({ provedEmail: null })
  await forgotten(app, user.id)
  t.match(await userRow(db, user.id), { provedEmail: person.email })
})

t.test('an invitation is declined without its mail', async (t) => {
  const { db, slug, answer } = await startInvited(t)
  const page = await answer('decline')
  t.equal(page.url, `/${slug}`)
  t.same(page.flash, { notice: 'Invitation declined' })
  t.same(page.props.open_invitations, [])
  t.same(await db.select().from(invitations), [])
})

t.test('an id opens an invitation only for its verified address', async (t) => {
  const { app, db, owner, browser, url, update } = await startInvited(t)
  await update({ verified: false })
  const others = {
    'a stranger': (await signedUp(app)).browser,
    'a stranger with a verified address': (await verifiedUp(app)).browser,
    'the inviter': owner.browser,
    'somebody who claims the address': browser,
  }
  for (const [whom, other] of Object.entries(others)) {
    t.equal((await other.request('GET', url)).statusCode, 404, whom)
    for (const word of answers)
      t.equal((await other.request('POST', `${url}/${word}`, { body: {} })).statusCode, 404, whom)
  }
  const guest = await Browser.open(app)
  t.equal((await guest.visit(url)).component, 'auth/sign-in')
  t.equal((await guest.submit('POST', `${url}/accept`)).component, 'auth/sign-in')
  for (const path of ['/invitations/open/0', '/invitations/open/x', '/invitations/open'])
    t.equal((await browser.request('GET', path)).statusCode, 404, path)
  t.equal((await db.select().from(invitations)).length, 1)
})
