import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { accounts, invitations, memberships, users } from '../../drizzle/schema.ts'
import { createUser } from '../../features/auth/sign-up.ts'
import { startApp } from '../helpers/app.ts'
import { type Person, startIssuer } from '../helpers/issuer.ts'
import { invite, openGuest, startAcme } from '../helpers/people.ts'
import { environmentOf } from '../helpers/providers.ts'

const issuer = await startIssuer(t)
let count = 0

/** An application in which new@example.com is invited to Acme. */
async function start(t: Test, environment: Record<string, string> = {}) {
  const { app, db } = await startApp(t, { ...environmentOf(issuer.url), ...environment })
  const { account: acme, owner, path } = await startAcme(app)
  const { token: invitation } = await invite(app, owner, path, 'new@example.com')

  /** Comes back from the provider, where they went with this invitation. */
  async function signIn(person: Person, body: object = { invitation }) {
    const browser = await openGuest(app)
    const here = { sub: `subject-${++count}`, name: 'Bo Berg', ...person }
    return { browser, ...(await issuer.visit(browser, here, { body })) }
  }
  const membersOfAcme = () => db.$count(memberships, eq(memberships.accountId, acme.id))
  return { app, db, invitation, signIn, membersOfAcme }
}

const proved = { email: 'new@example.com', email_verified: true }

t.test('an invitation survives the provider, and a user who proves its address joins', async (t) => {
  const { signIn, invitation, db, membersOfAcme } = await start(t)
  const { browser, page } = await signIn(proved)
  t.match(page.props, { proved: true, taken: false, invitation: { token: invitation, account_name: 'Acme' } })
  const welcome = await browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo' })
  t.equal(welcome.url, '/acme')
  t.same(welcome.flash, { notice: 'Welcome! You have signed up successfully' })
  t.equal(await membersOfAcme(), 2)
  const [used] = await db.select().from(invitations)
  t.ok(used?.acceptedAt)
})

t.test('an unproved address does not join, and signs up as usual', async (t) => {
  const { signIn, membersOfAcme, db } = await start(t)
  const { browser } = await signIn({ ...proved, email_verified: false })
  const page = await browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo', email: 'new@example.com' })
  t.equal(page.url, '/bo-account')
  t.equal(await membersOfAcme(), 1)
  t.equal(await db.$count(accounts), 3)
})

t.test('a known person comes back to the invitation', async (t) => {
  const { signIn, invitation } = await start(t)
  const { browser } = await signIn({ ...proved, sub: 'known' }, {})
  await browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo' })
  const { page } = await signIn({ ...proved, sub: 'known' })
  t.equal(page.component, 'invitations/show')
  t.equal(page.url, `/invitations/${invitation}`)
})

t.test('where sign-up is by invitation only', async (t) => {
  const refusal = { alert: 'Acme Accounts is invitation only. Ask an admin to invite you' }
  const mode = { SIGN_UP: 'invitation_only' }

  await t.test('only the proved, invited address can sign up with a provider', async (t) => {
    const { signIn, db } = await start(t, mode)
    const stranger = await signIn(proved, {})
    t.same(stranger.page.flash, refusal)
    t.equal(stranger.page.component, 'auth/sign-in')
    t.equal((await stranger.browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo' })).component, 'auth/sign-in')

    const errors = { email: ['must be new@example.com, the address invited'] }
    const other = await signIn({ email: 'other@example.com', email_verified: true })
    t.equal(other.page.props.invitation_only, true)
    t.same((await other.browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo' })).props.errors, errors)
    const unproved = await signIn({ ...proved, email_verified: false })
    const typed = { name: 'Bo', email: 'new@example.com' }
    t.same((await unproved.browser.submit('POST', '/sign_up/with/oidc', typed)).props.errors, errors)
    t.equal(await db.$count(users), 1)

    const { browser } = await signIn(proved)
    t.equal((await browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo' })).url, '/acme')
  })

  await t.test('claiming the address of an unverified user needs no invitation', async (t) => {
    const { signIn, db } = await start(t, mode)
    await db.insert(users).values({ name: 'Squatter', email: 'new@example.com', passwordDigest: '' })
    for (const body of [{}, undefined]) {
      const { page } = await signIn(proved, body)
      t.match(page.props, { proved: true, taken: false })
    }
    const { browser } = await signIn(proved, {})
    const page = await browser.submit('POST', '/sign_up/with/oidc', { name: 'Owner' })
    t.same(page.flash, { notice: 'Welcome! You have signed up successfully' })
    const [claimed] = await db.select().from(users).where(eq(users.email, 'new@example.com'))
    t.match(claimed, { name: 'Owner', verified: true })
  })

  await t.test('but no longer once that user is gone', async (t) => {
    const { app, db } = await start(t, mode)
    const newcomer = {
      name: 'Bo',
      email: proved.email,
      passwordDigest: null,
      isVerified: true,
      onlyIfReplacing: true,
    }
    const client = { ipAddress: '127.0.0.1', userAgent: '' }
    await t.rejects(createUser(app, { ...newcomer, factors: { firstFactor: 'provider', provider: 'oidc' } }, client), {
      message: "You don't have permission to do that",
    })
    t.equal(await db.$count(users), 1)
  })
})
