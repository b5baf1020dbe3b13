import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { accounts, activities, memberships, users } from '../../drizzle/schema.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { changeEmail, password, sidOf, signedIn, signedUp, signUpByForm } from '../helpers/people.ts'
import { type Received, startSmtp } from '../helpers/smtp.ts'

const removed = { notice: 'The account has been removed' }
const invalid = { alert: 'That link is invalid' }
const victim = 'victim@example.com'

const linksIn = ({ text = '' }: Pick<Received, 'text'>) =>
  [...text.matchAll(/https?:\/\/[^/]+(\/identity\/\S+)/g)].map(([, path = '']) => path)

type Started = Awaited<ReturnType<typeof sharedApp>>

/** Someone signs up with an address that is not theirs. `link` is the second one of the mail. */
async function startSquatted(t: Test, started?: Started) {
  const { app, db, ...more } = started ?? (await sharedApp(t))
  const squatter = await signedUp(app, { email: victim })
  const { id } = squatter.user
  const read = async () => (await db.select().from(users).where(eq(users.id, id)))[0]
  const sid = await sidOf(app, 'not_mine', id)
  const verification = `/identity/email_verification?sid=${await sidOf(app, 'email_verification', id)}`
  const remove = async () => (await Browser.open(app)).submit('POST', '/identity/not_mine', { sid })
  return { app, db, ...more, ...squatter, sid, link: `/identity/not_mine?sid=${sid}`, verification, remove, read }
}

/** The same, with mails. */
async function startMailing(t: Test) {
  const smtp = await startSmtp(t)
  const started = await startApp(t, smtp.environment)
  await started.app.jobs.startWorkers()
  const squatted = await startSquatted(t, started)
  const change = (email: string) => changeEmail(squatted, email)
  return { ...squatted, smtp, mail: await smtp.next(), change }
}

t.test('the mail of a sign-up has a link below everything else that removes the account', async (t) => {
  const { app, db, mail, read } = await startMailing(t)
  const [verification = '', link = ''] = linksIn(mail)
  const sid = new URL(link, 'http://x').searchParams.get('sid')
  t.equal(mail.recipient, victim)
  t.match(verification, /^\/identity\/email_verification\?sid=/)
  t.match(link, /^\/identity\/not_mine\?sid=/)
  for (const part of [mail.text ?? '', mail.html ?? '']) {
    t.ok(part.indexOf('/identity/not_mine') > part.indexOf('t sign up for'), 'after the last of the words')
  }

  const browser = new Browser(app)
  const { page } = await browser.document(link)
  t.equal(page.component, 'identity/not-mine')
  t.match(page.props, { sid, email: victim, auth: { user: null } })
  t.ok(await read(), 'looking changes nothing')

  const home = await browser.submit('POST', '/identity/not_mine', { sid })
  t.same([home.url, home.component], ['/', 'home/index'])
  t.same(home.flash, removed)
  for (const table of [users, accounts, memberships, activities]) t.same(await db.select().from(table), [])
  t.equal((await signUpByForm(app, { email: victim })).page.component, 'accounts/show', 'the address is free again')
})

t.test('nothing the squatter does invalidates the link, and each later mail to this address has one', async (t) => {
  const { change, browser, smtp, remove, read } = await startMailing(t)
  await browser.submit('POST', '/identity/email_verification')
  t.match(linksIn(await smtp.next())[1], '/identity/not_mine?sid=', 'a resent one too')
  for (let count = 0; count < 4; count++) {
    await change(`away-${count}@example.com`)
    await change(victim)
  }
  const fresh = { password: 'a fresh new password', password_confirmation: 'a fresh new password' }
  await browser.submit('PATCH', '/settings/password', { ...fresh, password_challenge: password })
  await browser.submit('PATCH', '/settings/profile', { name: 'Somebody else' })
  t.same((await remove()).flash, removed)
  t.notOk(await read())
  const mails = smtp.mails.filter(({ recipient }) => recipient === victim)
  t.same([...new Set(mails.map((mail) => linksIn(mail).length))], [2])
})

t.test('it is invalid once the address is verified, after two days, and when it is another', async (t) => {
  const { app, clock, verification, link, remove, read } = await startSquatted(t)
  for (const sid of ['', 'garbage', undefined, ['a', 'b'], new URL(verification, 'http://x').searchParams.get('sid')]) {
    const page = await (await Browser.open(app)).submit('POST', '/identity/not_mine', { sid })
    t.same(page.flash, invalid)
  }
  t.same((await new Browser(app).visit('/identity/not_mine')).flash, invalid)

  clock.forward({ days: 2 })
  t.same((await new Browser(app).visit(link)).flash, invalid)
  t.same((await remove()).flash, invalid)
  clock.forward({ days: -1 })
  await new Browser(app).visit(verification)
  t.same((await remove()).flash, invalid)
  t.ok(await read())
})

t.test('it works once, also for concurrent requests, while a HEAD or a prefetch changes nothing', async (t) => {
  const { app, browser: squatter, link, remove, read } = await startSquatted(t)
  await new Browser(app).send('HEAD', link)
  await new Browser(app).send('GET', link, { headers: { purpose: 'prefetch', 'sec-purpose': 'prefetch' } })
  const pages = [...(await Promise.all([remove(), remove()])), await remove()]
  t.same(pages.map(({ flash }) => flash?.notice ?? flash?.alert).sort(), [invalid.alert, invalid.alert, removed.notice])
  t.notOk(await read())
  t.equal((await squatter.visit('/settings/profile')).component, 'auth/sign-in')
})

t.test('a concurrent verification either wins or loses', async (t) => {
  const { app, verification, remove, read } = await startSquatted(t)
  const [removal, home] = await Promise.all([remove(), new Browser(app).visit(verification)])
  t.equal(Boolean(removal.flash?.notice), !home.flash?.notice)
  t.equal(Boolean(await read()), Boolean(home.flash?.notice))
})

t.test('a user who has verified another address since gets that one back and keeps their data', async (t) => {
  const { app, db, smtp, change, remove, read, user } = await startMailing(t)
  await change('own@example.com')
  const own = (await smtp.next()).recipient === 'own@example.com' ? smtp.mails.at(-1) : await smtp.next()
  await new Browser(app).visit(linksIn(own ?? {})[0] ?? '')
  t.match(await read(), { email: 'own@example.com', verified: true })
  await change(victim)

  t.same((await remove()).flash, removed)
  t.match(await read(), { email: 'own@example.com', verified: true, name: user.name })
  t.equal((await db.select().from(memberships)).length, 1)
  const back = await signedIn(app, { email: 'own@example.com', password })
  t.equal(back.page.component, 'auth/sign-in', 'with a new password only')
  const reset = () => smtp.mails.find(({ subject }) => subject === 'Reset your password')
  while (!reset()) await smtp.next()
  t.equal(reset()?.recipient, 'own@example.com')
})
