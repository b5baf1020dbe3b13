import { eq } from 'drizzle-orm'
import t from 'tap'
import { secondFactors } from '../../../drizzle/tables/second-factor.ts'
import { startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { sidOf, signedUp } from '../../helpers/people.ts'
import { halfway, withSecondFactor } from '../../helpers/second-factor.ts'

const older = 'the secret of last year, which somebody who has left may have seen'
const newer = 'the secret of this year, which only the safe of the office has seen'

// The same deployment before the secret changes, with both secrets, and after the old one is removed.
const before = await startApp(t, { SECRET_KEY_BASE: older })
const common = { DATABASE_URL: before.url, SECRET_KEY_BASE: newer }
const between = await startApp(t, { ...common, SECRET_KEY_BASE_PREVIOUS: older })
const after = await startApp(t, common)

t.beforeEach(() => {
  for (const { clock } of [before, between, after]) clock.reset()
})

t.test('sessions survive a change of the secret, and the cookie of one in use is renewed', async (t) => {
  const { browser } = await signedUp(before.app)
  await browser.request('PATCH', '/settings/profile', { body: { name: 'Grace' } })
  const unseen = browser.copy(after.app)

  const meanwhile = browser.copy(between.app)
  const write = { body: { name: 'Initech' }, headers: meanwhile.csrfHeader() }
  t.equal((await meanwhile.send('POST', '/accounts', write)).statusCode, 302, 'with the token of an open page')
  t.equal((await browser.copy(between.app).visit('/settings/profile')).flash?.notice, 'Your profile has been updated')
  between.clock.forward({ hours: 25 })
  await meanwhile.document('/settings/profile')
  t.not(meanwhile.cookies.get('session_token'), browser.cookies.get('session_token'))
  const { headers } = await meanwhile.request('GET', '/settings/profile')
  t.equal(headers['set-cookie'], undefined, 'only once')

  const later = meanwhile.copy(after.app)
  t.equal((await later.visit('/settings/profile')).component, 'settings/profile')
  t.equal((await later.submit('POST', '/accounts', { name: 'Umbrella' })).component, 'accounts/show')
  t.equal((await unseen.visit('/settings/profile')).component, 'auth/sign-in', 'who was not there must sign in')
})

t.test('links in mails work until the older secret is removed', async (t) => {
  const { user } = await signedUp(before.app)
  const opens = async ({ app }: typeof before, mintedBy: typeof before) => {
    const sid = await sidOf(mintedBy.app, 'password_reset', user.id)
    return (await new Browser(app).visit(`/identity/password_reset/edit?sid=${sid}`)).url.includes(sid)
  }
  t.equal(await opens(between, before), true)
  t.equal(await opens(after, before), false)
  t.equal(await opens(after, between), true, 'new ones are made with the newer secret')
})

t.test('a sealed secret can be opened, and is sealed again when used', async (t) => {
  const { code, person, user } = await withSecondFactor(before)
  const sealed = async () =>
    (await before.db.select().from(secondFactors).where(eq(secondFactors.userId, user.id)))[0]?.secret
  const first = await sealed()
  t.equal((await (await halfway(between.app, person)).submit(await code())).component, 'accounts/show')
  const second = await sealed()
  t.not(second, first)
  before.clock.forward({ seconds: 30 })
  after.clock.forward({ seconds: 60 })
  t.equal((await (await halfway(after.app, person)).submit(await code())).component, 'accounts/show')
  t.equal(await sealed(), second)
})

t.test('without its secret a code is wrong, and the page says that a recovery code is not', async (t) => {
  const { code, person, recoveryCodes } = await withSecondFactor(before)
  const { submit } = await halfway(after.app, person)
  const page = await submit(await code())
  t.equal(page.component, 'auth/second-factor')
  t.same(page.props.errors, { code: ['is invalid'] })
  t.equal(page.flash?.alert, "Your authenticator app can't be checked now. Use a recovery code instead")
  t.equal((await submit(recoveryCodes[0])).component, 'accounts/show')
})
