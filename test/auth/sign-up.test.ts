import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, memberships, sessions, users } from '../../drizzle/schema.ts'
import { isPassword } from '../../plugins/security/digests.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password, sharedPerson, signedIn, signedUp, somebody } from '../helpers/people.ts'
import { queuedMails } from '../helpers/records.ts'

t.test('the page is there for a guest', async (t) => {
  const { app } = await sharedApp(t)
  const { page } = await new Browser(app).document('/sign_up')
  t.equal(page.component, 'auth/sign-up')
  t.same(page.props.auth, { user: null, session: null })
})

t.test('a signed-in visitor of the page is redirected home', async (t) => {
  const { browser } = await sharedPerson(t)
  const response = await browser.request('GET', '/sign_up')
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/')
})

t.test('success creates one unverified user with a personal account and signs in', async (t) => {
  const { app, db } = await sharedApp(t)
  const { page, person } = await signedUp(app, { name: 'Ana García' })

  const [user, ...others] = await db.select().from(users)
  t.same(others, [])
  t.match(user, { name: 'Ana García', email: person.email, verified: false })
  t.ok(user?.passwordDigest?.startsWith('$argon2id$'))
  t.ok(await isPassword(password, user?.passwordDigest))
  t.match(await db.select().from(accounts), [{ name: 'Ana García', slug: 'ana-garcia', personal: true }])
  t.match(await db.select().from(memberships), [{ userId: user?.id, role: 'owner' }])
  t.equal((await db.select().from(sessions)).length, 1)

  t.equal(page.component, 'accounts/show')
  t.equal(page.url, '/ana-garcia')
  t.same(page.flash, { notice: 'Welcome! You have signed up successfully' })
  t.equal(page.props.auth.user.email, person.email)
})

t.test('invalid fields redirect back to the form with their messages, and create no user', async (t) => {
  const { app, db } = await sharedApp(t)
  const browser = await Browser.open(app)
  const mistakes = { name: ' ', email: 'nobody', password: 'short', password_confirmation: 'other' }

  const response = await browser.request('POST', '/sign_up', { body: mistakes })
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/sign_up')

  const page = await browser.follow(response)
  t.same(page.props.errors, {
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
  const response = await browser.send('POST', '/sign_up', {
    form: somebody({ name: 'Grace' }),
    headers: browser.csrfHeader(),
  })
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/grace')
})

t.test('email addresses', async (t) => {
  const { app, db } = await sharedApp(t)
  const browser = await Browser.open(app)
  const messages = async (email: string) => {
    const response = await browser.precognize('POST', '/sign_up', somebody({ email }), 'email')
    return response.statusCode === 204 ? [] : response.json().errors.email
  }

  await t.test('are stored trimmed and in lower case', async (t) => {
    await signedUp(app, { email: ' \t\0ÄNA@Example.COM'.replace('Ä', 'A') })
    t.match(await db.select().from(users), [{ email: 'ana@example.com' }])
  })
  await t.test('are unique regardless of case', async (t) => {
    t.same(await messages('Ana@EXAMPLE.com\n'), ['has already been taken'])
  })
  await t.test('are blank and invalid when empty', async (t) => {
    t.same(await messages(' '), ["can't be blank", 'is invalid'])
  })
  await t.test('with non-ASCII white space are invalid', async (t) => {
    t.same(await messages('bea@example.com\u00a0'), ['is invalid'])
  })
  await t.test('are invalid if too long for mail or unstorable', async (t) => {
    t.same(await messages(`${'a'.repeat(250)}@example.com`), ['is invalid'])
    t.same(await messages('a\0b@example.com'), ['is invalid'])
    t.same(await messages('a\ud800@example.com'), ['is invalid'])
    t.same(await messages('a'.repeat(900_000)), ['is invalid'])
  })
})

t.test('passwords', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const messages = async (password: string) => {
    const response = await browser.precognize('POST', '/sign_up', { ...somebody(), password }, 'password')
    return response.statusCode === 204 ? [] : response.json().errors.password
  }

  t.same(await messages(''), ["can't be blank"], 'a blank one is only blank')
  t.same(await messages('12345678901'), ['is too short (minimum is 12 characters)'])
  t.same(await messages('123456789012'), [])
  t.same(await messages('a'.repeat(72)), [])
  t.same(await messages('a'.repeat(73)), ['is too long'])
  t.same(await messages('ä'.repeat(37)), ['is too long'], '37 characters, but 74 bytes')
  t.same(
    await messages('👍'.repeat(11)),
    ['is too short (minimum is 12 characters)'],
    'a character may be two code units',
  )
  t.same(await messages('é'.normalize('NFD').repeat(6)), [], 'lengths are those of what was typed')
  t.same(await messages('ﷺ'.repeat(11)), ['is too short (minimum is 12 characters)'])
  t.same(await messages('ﷺ'.repeat(24)), [], '72 bytes, and later many more')

  const password = 'crème brûlée'
  const body = { ...somebody(), password, password_confirmation: password.normalize('NFD') }
  t.equal((await browser.submit('POST', '/sign_up', body)).component, 'accounts/show')
  t.equal((await signedIn(app, { ...body, password: body.password_confirmation })).page.component, 'accounts/show')
})

t.test('a name without a visible character is blank', async (t) => {
  const { app } = await sharedApp(t)
  const page = await (await Browser.open(app)).submit('POST', '/sign_up', somebody({ name: '\u200b\u3164' }))
  t.same(page.props.errors, { name: ["can't be blank"] })
})

t.test('a name is stored as it was typed', async (t) => {
  const { app } = await sharedApp(t)
  const { user } = await signedUp(app, { name: ' Ada ' })
  t.equal(user.name, ' Ada ')
})

t.test('the personal account has the whole name, and keeps it when its settings are saved', async (t) => {
  const { app, db } = await sharedApp(t)
  const name = `${'Ana María 👍 '.repeat(20)}x`
  const { browser, slug, page } = await signedUp(app, { name })
  t.equal(page.props.account.name, name)
  t.match(await db.select().from(accounts), [{ name, personal: true }])
  const steps = { 'x-inertia-partial-component': 'accounts/show', 'x-inertia-partial-data': 'first_steps' }
  const shown = (await browser.request('GET', `/${slug}`, { headers: steps })).json()
  t.match(shown.props.first_steps, { personal: true, named: false })

  t.same((await browser.submit('PATCH', `/${slug}/settings`, { name })).flash, { notice: 'Settings saved' })
  const errors = { name: ['is too long (maximum is 60 characters)'] }
  t.same((await browser.submit('PATCH', `/${slug}/settings`, { name: `${name}!` })).props.errors, errors)
})

t.test('an unstorable or endless name is rejected', async (t) => {
  const { app, db } = await sharedApp(t)
  for (const name of ['a\0b', '\udfff', 'x'.repeat(256)]) {
    const page = await (await Browser.open(app)).submit('POST', '/sign_up', somebody({ name }))
    t.equal(page.component, 'auth/sign-up')
    t.equal(page.props.errors.name.length, 1)
  }
  t.same(await db.select().from(users), [])
})

t.test('absent and null fields are 400, as JSON whatever the client prefers', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const { name: _, ...nameless } = somebody()
  const allNull = { name: null, email: null, password: null, password_confirmation: null }
  for (const body of [{}, allNull, nameless]) {
    const response = await browser.request('POST', '/sign_up', { body })
    t.equal(response.statusCode, 400)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    t.equal(response.body, '{"status":400,"error":"Bad Request"}')
  }
})

t.test('precognition', async (t) => {
  const { app, db } = await sharedApp(t)
  const browser = await Browser.open(app)

  await t.test('reports the fields it was asked about', async (t) => {
    const response = await browser.precognize(
      'POST',
      '/sign_up',
      { name: '', email: 'nobody' },
      'email, password_confirmation',
    )
    t.equal(response.statusCode, 422)
    t.equal(response.headers.precognition, 'true')
    t.match(response.headers.vary, /Precognition/)
    t.same(response.json(), { errors: { email: ['is invalid'] } })
  })
  await t.test('does not report untouched fields', async (t) => {
    const response = await browser.precognize('POST', '/sign_up', { email: 'nobody' }, '')
    t.equal(response.statusCode, 204)
  })
  await t.test('reports all fields if none are named', async (t) => {
    const response = await browser.precognize('POST', '/sign_up', {})
    t.same(Object.keys(response.json().errors), ['name', 'email', 'password'])
  })
  await t.test('answers valid input with 204 and changes nothing', async (t) => {
    const response = await browser.precognize('POST', '/sign_up', somebody())
    t.equal(response.statusCode, 204)
    t.equal(response.headers['precognition-success'], 'true')
    t.equal(response.headers['content-type'], undefined)
    t.equal(response.headers['set-cookie'], undefined)
    t.same(await db.select().from(users), [])
    t.same(await queuedMails(db), [])
  })
  await t.test('does not redirect a user who has signed up meanwhile', async (t) => {
    const signed = await signedUp(app)
    const response = await signed.browser.precognize('POST', '/sign_up', somebody(), 'name')
    t.equal(response.statusCode, 204)
    await signed.browser.request('DELETE', '/users', { body: { password_challenge: password } })
  })
  await t.test('has a budget of its own', async (t) => {
    for (let check = 0; check < 12; check++) await browser.precognize('POST', '/sign_up', somebody(), 'name')
    const ordinary = { precognition: 'false' }
    const page = await browser.submit('POST', '/sign_up', somebody(), ordinary)
    t.equal(page.component, 'accounts/show')
  })
})

t.test('after ten attempts a client can sign up nobody', async (t) => {
  const { app, db } = await sharedApp(t)
  const browser = await Browser.open(app)
  for (let attempt = 0; attempt < 10; attempt++)
    t.ok((await browser.submit('POST', '/sign_up', somebody({ name: '' }))).props.errors.name)
  const refused = await browser.request('POST', '/sign_up', { body: somebody() })
  t.equal(refused.headers.location, '/sign_up')
  t.same((await browser.follow(refused)).flash, { alert: 'Try again later.' })
  t.same(await db.select().from(users), [])
})

t.test('fifty concurrent sign-ups with the same address give one user and 49 form errors', async (t) => {
  const { app, db } = await sharedApp(t)
  const one = somebody()
  const attempts = Array.from({ length: 50 }, async (_, index) => {
    const browser = await Browser.open(app, { ip: `192.0.2.${index + 1}` })
    return browser.submit('POST', '/sign_up', one)
  })
  const pages = await Promise.all(attempts)
  t.equal(pages.filter((page) => page.component === 'accounts/show').length, 1)
  const losers = pages.filter((page) => page.component === 'auth/sign-up')
  t.equal(losers.length, 49)
  for (const page of losers) t.same(page.props.errors, { email: ['has already been taken'] })
  t.equal((await db.select().from(users)).length, 1)
})

t.test('twenty concurrent sign-ups with the same name get twenty accounts', async (t) => {
  const { app, db } = await sharedApp(t)
  await Promise.all(Array.from({ length: 20 }, () => signedUp(app, { name: 'Ana' })))
  const slugs = (await db.select().from(accounts)).map(({ slug }) => slug)
  t.same(new Set(slugs), new Set(['ana', ...Array.from({ length: 19 }, (_, index) => `ana-${index + 2}`)]))
})

t.test('with sign-up by invitation only', async (t) => {
  const { app, db } = await startApp(t, { SIGN_UP: 'invitation_only' })
  const refusal = { alert: 'Acme Accounts is invitation only. Ask an admin to invite you' }
  const browser = await Browser.open(app)

  await t.test('the page redirects to sign-in', async (t) => {
    const page = await browser.visit('/sign_up')
    t.equal(page.component, 'auth/sign-in')
    t.same(page.flash, refusal)
    t.equal(page.props.invitation_only, true)
  })
  await t.test('nobody can sign up', async (t) => {
    t.same((await browser.submit('POST', '/sign_up', somebody())).flash, refusal)
    t.same(await db.select().from(users), [])
  })
  await t.test('precognitive requests are redirected too, so they cannot probe for addresses', async (t) => {
    const response = await browser.precognize('POST', '/sign_up', somebody())
    t.equal(response.statusCode, 302)
    t.equal(response.headers.location, '/sign_in')
  })
  await t.test('in open mode the page does not mention it', async (t) => {
    const { app } = await sharedApp(t)
    t.notOk('invitation_only' in (await new Browser(app).visit('/sign_in')).props)
  })
})

t.test('a session keeps the IP address and user agent it started with', async (t) => {
  const { app, db } = await sharedApp(t)
  const browser = await Browser.open(app, { ip: '6.6.6.6, 203.0.113.9' })
  await browser.submit('POST', '/sign_up', somebody())
  const [session] = await db.select().from(sessions).where(eq(sessions.ipAddress, '203.0.113.9'))
  t.match(session?.userAgent, /Chrome\/140/)
})
