import t from 'tap'
import { accounts, invitations, users } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser, type Page } from '../helpers/browser.ts'
import { invite, sharedAcme, somebody, tokenOf } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

t.test('signing up through an invitation', async (t) => {
  const { app, db, owner, clock } = await sharedAcme(t)
  const signUp = async (token: string, email: string, name = 'Zoe') =>
    (await Browser.open(app)).submit('POST', `/sign_up?invitation=${token}`, somebody({ email, name }))

  await t.test('joins, verified, and lands in the account', async (t) => {
    const { token } = await invite(app, owner, '/acme', 'new@example.com', 'admin')
    await forgetMails(db)
    const form = await new Browser(app).visit(`/sign_up?invitation=${token}`)
    t.same(form.props.invitation, { token, account_name: 'Acme', email: 'new@example.com' })
    const page = await signUp(token, ' New@example.com')
    t.equal(page.url, '/acme')
    t.same(page.flash, { notice: 'Welcome! You have signed up successfully' })
    t.match(page.props, { auth: { user: { verified: true } }, membership: { role: 'admin' } })
    t.same(await queuedMails(db), [])
    t.equal(page.props.accounts.length, 2, 'with a personal account like everyone')
  })
  await t.test('with another address is an ordinary sign-up, and the invitation stays', async (t) => {
    const { token, link } = await invite(app, owner, '/acme', 'third@example.com')
    const page = await signUp(token, 'other@example.com', 'Max')
    t.equal(page.url, '/max')
    t.equal(page.props.auth.user.verified, false)
    t.equal((await new Browser(app).visit(link)).props.expired, false)
  })
  await t.test('with an expired link is an ordinary sign-up too', async (t) => {
    const { token } = await invite(app, owner, '/acme', 'fourth@example.com')
    clock.forward({ days: 8 })
    t.notOk('invitation' in (await new Browser(app).visit(`/sign_up?invitation=${token}`)).props)
    t.equal((await signUp(token, 'fourth@example.com')).props.auth.user.verified, false)
  })
})

t.test('where sign-up is by invitation only', async (t) => {
  const { app, db, clock } = await sharedApp(t, { SIGN_UP: 'invitation_only' })
  const [account] = await db.insert(accounts).values({ name: 'Acme', slug: 'acme' }).returning()
  const invited = async (email: string) => {
    const expiresAt = new Date(Date.now() + 7 * 86_400_000)
    const values = { accountId: account?.id ?? 0, email, role: 'member' as const, expiresAt }
    const [invitation] = await db.insert(invitations).values(values).returning()
    return tokenOf(app, invitation?.id ?? 0)
  }
  const token = await invited('new@example.com')
  const alert = 'Acme Accounts is invitation only. Ask an admin to invite you'
  const isRefused = ({ component, flash, props }: Page) =>
    t.same([component, flash, props.invitation_only], ['auth/sign-in', { alert }, true])
  const browser = await Browser.open(app)

  await t.test('nobody signs up without an invitation, or with an unknown token', async (t) => {
    for (const url of ['/sign_up', '/sign_up?invitation=unknown']) isRefused(await browser.visit(url))
    for (const invitation of [undefined, '', 'unknown'])
      isRefused(await browser.submit('POST', '/sign_up', { ...somebody(), invitation }))
    isRefused(await browser.submit('POST', '/sign_up?return_to=/join/x', somebody()))
    const check = await browser.precognize('POST', '/sign_up', somebody())
    t.equal(check.statusCode, 302, 'nor probes for addresses')
    t.equal(check.headers.location, '/sign_in')
    t.same(await db.select().from(users), [])
    t.same(await queuedMails(db), [])
  })
  await t.test('another address redirects back to the form', async (t) => {
    const page = await browser.submit('POST', `/sign_up?invitation=${token}`, somebody())
    t.equal(page.url, `/sign_up?invitation=${token}`)
    t.same(page.props.errors, { email: ['must be new@example.com, the address invited'] })
  })
  await t.test('the invited address joins', async (t) => {
    const { props } = await browser.visit(`/sign_in?invitation=${token}`)
    t.match(props, { invitation_only: true, invitation: { token } })
    const page = await browser.submit('POST', `/sign_up?invitation=${token}`, somebody({ email: 'new@example.com' }))
    t.equal(page.url, '/acme')
  })
  await t.test('after a week the link no longer works', async (t) => {
    const late = `/sign_up?invitation=${await invited('late@example.com')}`
    clock.forward({ days: 8 })
    const guest = await Browser.open(app)
    isRefused(await guest.visit(late))
    isRefused(await guest.submit('POST', late, somebody({ email: 'late@example.com' })))
    t.equal(await db.$count(users), 1)
  })
})
