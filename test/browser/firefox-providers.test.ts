import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { identities, invitations, users } from '../../drizzle/schema.ts'
import { tokenOf } from '../helpers/accounts.ts'
import { password, verifiedUp } from '../helpers/people.ts'
import { startProvider } from '../helpers/real-provider.ts'
import { codeAt, withSecondFactor } from '../helpers/second-factors.ts'
import { launchFirefox, openFirefox, skip } from './firefox.ts'

const browser = skip ? undefined : await launchFirefox(t)

async function start(t: Test, environment: Record<string, string> = {}) {
  if (!browser) throw new Error('there is no Firefox')
  const provider = await startProvider(t)
  const opened = await openFirefox(t, browser, { ...provider.environment, ...environment })
  provider.serve(opened.origin)
  return { ...opened, provider, ...steps(opened) }
}

type Tab = Pick<Awaited<ReturnType<typeof openFirefox>>, 'press' | 'sees'>

/** Going to the provider, and being someone there. */
const steps = ({ press, sees }: Tab) => ({
  async leave(verb = 'Sign in') {
    await press('main button', `${verb} with Acme ID`)
    await sees('h1', 'Who do you want to be?')
  },
  be: (name: string) => press('button', name),
})

t.test('Firefox: a new person signs up, is known from then on, connects and disconnects', { skip }, async (t) => {
  const { goto, press, sees, type, value, leave, be, clearCookies, app } = await start(t)
  await goto('/sign_up')
  await leave('Sign up')
  await be('Ada Abel')
  await sees('h1', 'Almost there')
  t.equal(await value('[name=email]'), 'ada@example.com')
  await press('[type=submit]', 'Sign up')
  await sees('h1', 'Ada Abel')

  await clearCookies()
  await goto('/settings/sessions')
  await leave()
  await be('Ada Abel')
  await sees('main', 'with Acme ID')

  const other = await verifiedUp(app, { email: 'olga@example.com' })
  await clearCookies()
  await goto('/sign_in')
  await type('[name=email]', other.person.email)
  await type('[name=password]', password)
  await press('[type=submit]', 'Sign in')
  await sees('h1', other.person.name)
  await goto('/settings/security')
  await press('main button', 'Connect Acme ID')
  await type('[role=alertdialog] [name=password_challenge]', password)
  await press('[role=alertdialog] [type=submit]', 'Continue')
  await sees('h1', 'Who do you want to be?')
  await be('Bo Berg')
  await sees('body', 'Acme ID is connected')
  await press('main button', 'Disconnect Acme ID')
  await type('[role=alertdialog] [name=password_challenge]', password)
  await press('[role=alertdialog] [type=submit]', 'Disconnect')
  await sees('body', 'Acme ID is disconnected')
  t.equal(await app.db.$count(identities), 1)
})

t.test('Firefox: who cancels, goes back or finds it down can still use the form', { skip }, async (t) => {
  const { goto, press, sees, type, leave, be, back, provider, app } = await start(t)
  const { person } = await verifiedUp(app)
  await goto('/sign_in')
  await leave()
  await be('Cancel')
  await sees('body', 'You cancelled Acme ID')
  await leave()
  await back()
  await leave()
  provider.goDown()
  await be('Ada Abel')
  await sees('body', "Acme ID can't be reached")
  await type('[name=email]', person.email)
  await type('[name=password]', password)
  await press('[type=submit]', 'Sign in')
  await sees('h1', person.name)
})

t.test('Firefox: the second factor is asked for after the provider', { skip }, async (t) => {
  const { goto, sees, type, leave, be, provider, app, clock } = await start(t)
  const { user, secret } = await withSecondFactor({ app, clock })
  const subject = { issuer: provider.environment.OIDC_ISSUER, subject: 'ada' }
  await app.db.insert(identities).values({ userId: user.id, provider: 'oidc', ...subject })
  await goto('/sign_in')
  await leave()
  await be('Ada Abel')
  await sees('[name=code]:focus')
  await type('[name=code]', await codeAt(secret, clock.now()))
  await sees('h1', user.name)
})

t.test('Firefox: an invitation is joined through the provider', { skip }, async (t) => {
  const { goto, press, sees, leave, be, app } = await start(t)
  const { browser } = await verifiedUp(app, { name: 'Olga' })
  await browser.submit('POST', '/olga/invitations', { email: 'ada@example.com', role: 'member' })
  const [invited] = await app.db.select().from(invitations)
  await goto(`/invitations/${await tokenOf(app, invited?.id ?? 0)}`)
  await press('main a', 'Sign up')
  await leave('Sign up')
  await be('Ada Abel')
  await sees('main', 'Join Olga')
  await press('[type=submit]', 'Sign up')
  await sees('h1', 'Olga')
  const [ada] = await app.db.select().from(users).where(eq(users.email, 'ada@example.com'))
  t.match(ada, { verified: true, passwordDigest: null })
})

t.test('Firefox: two tabs begin at once, and each comes back', { skip }, async (t) => {
  const one = await start(t)
  const two = await one.openTab()
  const tabs = [one, { ...two, ...steps(two) }]
  for (const { goto, leave } of tabs) {
    await goto('/sign_in')
    await leave()
  }
  for (const { be, sees } of tabs) {
    await be('Bo Berg')
    await sees('h1', 'Almost there')
  }
})
