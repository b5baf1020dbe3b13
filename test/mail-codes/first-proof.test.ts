import { eq } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import t from 'tap'
import { emailChanges, sessions, users } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { rendering, startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { codesOf, enterCode } from '../helpers/mail-codes.ts'
import { openGuest, signedIn, userRow, verifiedUp } from '../helpers/people.ts'
import { typesOf } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'

const wands = new Set<number>()
const wand: FastifyPluginAsync = async ({ signInMethods }) =>
  signInMethods.add({
    name: 'wand',
    title: text('passkeys'),
    find: async () => [],
    remove: async (_tx, { id }) => wands.delete(id),
  })

const smtp = await startSmtp(t)
const { app, clock, db } = await startApp(t, { ...smtp.environment, ...rendering }, { features: [wand] })
await app.jobs.startWorkers()
const enter = (browser: Browser, email: string) => enterCode(browser, email, receive)
const receive = codesOf(smtp)

let count = 0

/**
 * Somebody signed up with an address whose mail they cannot read, and added a way in; a mail scanner opened the link.
 */
async function squatter() {
  const someone = await verifiedUp(app, { email: `ana@squatted-${++count}.example` })
  wands.add(someone.user.id)
  await db.update(users).set({ provedEmail: null }).where(eq(users.id, someone.user.id))
  return someone
}

t.test('a code that proves an address for the first time ends what a squatter set up, at once', async (t) => {
  const { person, user, browser: theirs } = await squatter()
  const guest = await openGuest(app)
  const page = await enter(guest, person.email)
  t.match(page, { component: 'accounts/show', flash: { notice: 'Signed in successfully' } })
  t.match((await guest.document('/settings/activity')).html, 'removed all other ways to sign in')

  t.notOk(wands.has(user.id))
  t.match(await userRow(db, user.id), { passwordDigest: null, provedEmail: person.email })
  const left = await db.select().from(sessions).where(eq(sessions.userId, user.id))
  t.match(left, [{ token: page.props.auth.session.id, firstFactor: 'email_code' }])
  t.equal((await theirs.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await signedIn(app, person)).page.component, 'auth/sign-in', 'the password is void')
  t.same((await typesOf(db, user.id)).slice(-2), ['ways_in_removed', 'signed_in'])

  const mail = await smtp.next('Your other ways to sign in were removed')
  t.equal(mail.recipient, person.email)
  t.match(mail.text, "it may belong to whoever signed up with somebody else's address")
  t.match(mail.text, 'Removed: the password and passkeys.')
})

t.test('a browser that knows the person removes nothing, nor does a second code', async (t) => {
  const known = await squatter()
  await known.browser.submit('DELETE', `/sessions/${(await known.browser.visit('/')).props.auth.session.id}`)
  t.equal((await enter(known.browser, known.person.email)).component, 'accounts/show')
  t.ok(wands.has(known.user.id))
  t.match(await userRow(db, known.user.id), { provedEmail: known.person.email, passwordDigest: String })

  t.equal((await enter(await openGuest(app), known.person.email)).component, 'accounts/show')
  t.ok(wands.has(known.user.id))
})

t.test(
  'the mail names the address of whoever changed theirs to this one, which a link there would bring back',
  async (t) => {
    const thief = await verifiedUp(app, { email: 'thief@squatted.example' })
    const { id } = thief.user
    await db.update(users).set({ email: 'bea@squatted.example', provedEmail: null }).where(eq(users.id, id))
    const previous = { previousEmail: 'thief@squatted.example', previousProved: true, createdAt: clock.now() }
    await db.insert(emailChanges).values({ userId: id, ...previous })
    await enter(await openGuest(app), 'bea@squatted.example')
    const mail = await smtp.next('Your other ways to sign in were removed')
    t.equal(mail.recipient, 'bea@squatted.example')
    t.match(mail.text?.replace(/\s+/g, ' '), 'Your address was thief@squatted.example before.')
  },
)
