import t from 'tap'
import { accounts, memberships, sessions, users } from '../../drizzle/schema.ts'
import { isPassword } from '../../plugins/security/digests.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { signedIn, signedUp, signUpByForm, somebody } from '../helpers/people.ts'
import { queuedMails } from '../helpers/records.ts'

t.test('success creates one unverified user with a personal account and signs in', async (t) => {
  const { app, db } = await sharedApp(t)
  const { page, person } = await signUpByForm(app, { name: 'Ana García', email: ' \t\0Ana@Example.COM' })

  const [user, ...others] = await db.select().from(users)
  t.match(user, { name: 'Ana García', verified: false })
  t.equal(user?.email, 'ana@example.com', 'trimmed and in lower case')
  t.ok(user?.passwordDigest?.startsWith('$argon2id$'))
  t.ok(await isPassword(person.password, user?.passwordDigest))
  const [account, ...more] = await db.select().from(accounts)
  t.match(account, { name: 'Ana García', slug: 'ana-garcia', personal: true })
  const owners = (await db.select().from(memberships)).map(({ userId, role }) => `${role} ${userId}`)
  t.same(owners, [`owner ${user?.id}`])
  t.same([...others, ...more], [])
  t.equal((await db.select().from(sessions)).length, 1)
  t.same(await queuedMails(db), [{ mail: 'email_verification', userId: user?.id }])

  t.equal(page.component, 'accounts/show')
  t.equal(page.url, '/ana-garcia')
  t.same(page.flash, { notice: 'Welcome! You have signed up successfully' })
  t.equal(page.props.auth.user.email, 'ana@example.com')
})

t.test('invalid fields redirect back to the form with their messages, and create no user', async (t) => {
  const { app, db } = await sharedApp(t)
  const browser = new Browser(app)
  const { page: form } = await browser.document('/sign_up')
  t.equal(form.component, 'auth/sign-up')
  t.same(form.props.auth, { user: null, session: null })
  const mistakes = { name: ' ', email: 'nobody', password: 'short', password_confirmation: 'other' }

  const response = await browser.request('POST', '/sign_up', { body: mistakes })
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/sign_up')
  t.same((await browser.follow(response)).props.errors, {
    name: ["can't be blank"],
    email: ['is invalid'],
    password: ['is too short (minimum is 12 characters)'],
    password_confirmation: ["doesn't match Password"],
  })
  t.same(await db.select().from(users), [])
  t.same((await browser.visit('/sign_up')).props.errors, {}, 'errors show once')
})

t.test('a form-encoded sign-up works like a JSON one', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const form = somebody({ name: 'Grace' })
  const response = await browser.send('POST', '/sign_up', { form, headers: browser.csrfHeader() })
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/grace')
})

t.test('each field has its rules', async (t) => {
  const { app } = await sharedApp(t)
  await signedUp(app, { email: 'ana@example.com' })
  const browser = await Browser.open(app)
  const invalid = ['is invalid']
  const blank = ["can't be blank"]
  const short = ['is too short (minimum is 12 characters)']
  const cases: ['name' | 'email' | 'password', string, string[], string?][] = [
    ['name', '\u200b\u3164', blank, 'no visible character'],
    ['name', 'a\0b', invalid],
    ['name', '\udfff', invalid],
    ['name', 'x'.repeat(256), ['is too long (maximum is 255 characters)']],
    ['email', 'Ana@EXAMPLE.com\n', ['has already been taken'], 'unique regardless of case'],
    ['email', ' ', [...blank, ...invalid]],
    ['email', 'bea@example.com\u00a0', invalid, 'white space that is not ASCII stays'],
    ['email', `${'a'.repeat(250)}@example.com`, invalid, 'too long for mail'],
    ['email', 'a\0b@example.com', invalid, 'unstorable'],
    ['email', 'a\ud800@example.com', invalid, 'unstorable'],
    ['email', 'a'.repeat(900_000), invalid],
    ['password', '', blank, 'only blank'],
    ['password', '12345678901', short],
    ['password', '123456789012', []],
    ['password', 'a'.repeat(72), []],
    ['password', 'a'.repeat(73), ['is too long']],
    ['password', 'ä'.repeat(37), ['is too long'], '37 characters, but 74 bytes'],
    ['password', '👍'.repeat(11), short, 'a character may be two code units'],
    ['password', 'é'.normalize('NFD').repeat(6), [], 'lengths are those of what was typed'],
    ['password', 'ﷺ'.repeat(11), short],
    ['password', 'ﷺ'.repeat(24), [], '72 bytes, and later many more'],
  ]
  for (const [field, value, messages, why = value] of cases) {
    const response = await browser.precognize('POST', '/sign_up', { ...somebody(), [field]: value }, field)
    const found = response.statusCode === 204 ? [] : response.json().errors[field]
    t.same(found, messages, `${field}: ${why.slice(0, 40)}`)
  }
})

t.test('a name is stored as it was typed, and a password is the same on all keyboards', async (t) => {
  const { app } = await sharedApp(t)
  const password = 'crème brûlée'
  const body = { ...somebody({ name: ' Ada ' }), password: password.normalize('NFD'), password_confirmation: password }
  const page = await (await Browser.open(app)).submit('POST', '/sign_up', body)
  t.match(page.props, { auth: { user: { name: ' Ada ' } }, account: { name: ' Ada ' } })
  const signIn = async (password: string) => (await signedIn(app, { ...body, password })).page.component
  for (const typed of [password, body.password, 'ｃｒèｍｅ ｂｒûｌéｅ']) t.equal(await signIn(typed), 'accounts/show')
  t.equal(await signIn('creme brulee'), 'auth/sign-in')
})

t.test('the personal account has the whole name, and keeps it when its settings are saved', async (t) => {
  const { app, db } = await sharedApp(t)
  const name = `${'Ana María 👍 '.repeat(20)}x`
  const { browser, slug, page } = await signUpByForm(app, { name })
  t.equal(page.props.account.name, name)
  t.match(await db.select().from(accounts), [{ name, personal: true }])
  t.same((await browser.submit('PATCH', `/${slug}/settings`, { name })).flash, { notice: 'Settings saved' })
  const errors = { name: ['is too long (maximum is 60 characters)'] }
  t.same((await browser.submit('PATCH', `/${slug}/settings`, { name: `${name}!` })).props.errors, errors)
})

t.test('precognition', async (t) => {
  const { app, db } = await sharedApp(t)
  const browser = await Browser.open(app)
  const check = (body: object, only?: string) => browser.precognize('POST', '/sign_up', body, only)

  await t.test('reports the touched fields, or all fields if none are named', async (t) => {
    const response = await check({ name: '', email: 'nobody' }, 'password_confirmation, email')
    t.equal(response.statusCode, 422)
    t.equal(response.headers.precognition, 'true')
    t.match(response.headers.vary, /Precognition/)
    t.same(response.json(), { errors: { email: ['is invalid'] } })
    t.equal((await check({ email: 'nobody' }, '')).statusCode, 204)
    t.same(Object.keys((await check({})).json().errors), ['name', 'email', 'password'])
  })
  await t.test('answers valid input with 204 and changes nothing', async (t) => {
    const response = await check(somebody())
    t.equal(response.statusCode, 204)
    t.equal(response.headers['precognition-success'], 'true')
    t.equal(response.headers['content-type'], undefined)
    t.equal(response.headers['set-cookie'], undefined)
    t.same(await db.select().from(users), [])
    t.same(await queuedMails(db), [])
  })
  await t.test('is not asked for by any other value of its header', async (t) => {
    const page = await browser.submit('POST', '/sign_up', somebody(), { precognition: 'false' })
    t.equal(page.component, 'accounts/show')
  })
})
