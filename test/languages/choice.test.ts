import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { sharedPerson } from '../helpers/people.ts'

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }
const tagOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1]

t.test("a page is in the browser's language and declares it", async (t) => {
  const { app } = await startApp(t, { SSR_ENABLED: 'true' })
  for (const [asked, tag] of [
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['ar', 'ar'],
    ['en', 'en'],
    ['fr, ar;q=0.2, de;q=0.5', 'de'],
    ['fr', 'en'],
    ['*', 'en'],
    ['de;q=0', 'en'],
    ['; ;q=,,,', 'en'],
    ['de-'.repeat(5_000), 'de'],
  ] as const) {
    const response = await app.inject({ url: '/sign_in', headers: { 'accept-language': asked } })
    t.equal(tagOf(response.body), tag, asked.slice(0, 40))
    t.equal(response.headers['content-language'], tag)
    t.match(response.headers.vary, /Accept-Language/)
  }
  const silent = await app.inject({ url: '/sign_in' })
  t.equal(tagOf(silent.body), 'en')
  t.match(silent.body, '<h1 dir="auto" id="content" tabindex="-1">Sign in</h1>')
})

t.test('Arabic runs from right to left', async (t) => {
  const { app } = await startApp(t, { SSR_ENABLED: 'true' })
  const { body } = await app.inject({ url: '/sign_in', headers: { 'accept-language': 'ar' } })
  t.match(body, '<html lang="ar" dir="rtl">')
  t.match(body, 'تسجيل الدخول')
})

t.test('LANGUAGES says which languages there are, and the first is the default', async (t) => {
  const { app } = await startApp(t, { LANGUAGES: 'de, ar' })
  t.equal(tagOf((await app.inject('/sign_in')).body), 'de')
  t.equal(tagOf((await app.inject({ url: '/sign_in', headers: { 'accept-language': 'en' } })).body), 'de')
  t.equal(tagOf((await app.inject({ url: '/sign_in', headers: { 'accept-language': 'ar' } })).body), 'ar')
  const { body } = await app.inject('/sign_in')
  t.match(body, /name="languages" content="[^"]*Deutsch[^"]*"/)
})

t.test('guests choose a language, which their browser keeps', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const headers = { referer: 'http://localhost:3000/sign_up?x=1' }
  const response = await browser.request('POST', '/language', { body: { language: 'de' }, headers })
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/sign_up?x=1')
  const cookie = response.cookies.find(({ name }) => name === 'language')
  t.match(cookie, { value: 'de', maxAge: 34_560_000, path: '/', sameSite: 'Lax' })
  t.notOk(cookie?.httpOnly)
  t.equal(tagOf((await browser.document('/sign_in')).html), 'de')

  const elsewhere = await browser.request('POST', '/language', {
    body: { language: 'ar' },
    headers: { referer: 'https://evil.example/x' },
  })
  t.equal(elsewhere.headers.location, '/')
})

t.test('a language that does not exist is refused', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const page = await browser.submit(
    'POST',
    '/language',
    { language: 'tlh' },
    { referer: 'http://localhost:3000/sign_in' },
  )
  t.same(page.props.errors, { language: ['is not included in the list'] })
  t.notOk(browser.cookies.has('language'))
  browser.cookies.set('language', '../../etc/passwd')
  t.equal(tagOf((await browser.document('/sign_in')).html), 'en')
})

t.test('what a person chose goes before the cookie and the browser', async (t) => {
  const { db, browser, user } = await sharedPerson(t)
  const page = await browser.submit('PATCH', '/settings/appearance', { language: 'de' })
  t.equal(page.url, '/settings/appearance')
  t.equal(page.props.language, 'de')
  const [saved] = await db.select().from(users).where(eq(users.id, user.id))
  t.equal(saved?.language, 'de')

  browser.cookies.set('language', 'ar')
  const response = await browser.send('GET', '/settings/appearance', { headers: { 'accept-language': 'en' } })
  t.equal(tagOf(response.body), 'de')
  t.equal(response.headers['content-language'], 'de')

  await browser.submit('POST', '/language', { language: 'ar' })
  t.equal((await browser.visit('/settings/appearance')).props.language, 'ar')
  await browser.submit('PATCH', '/settings/appearance', { language: null })
  t.equal((await browser.visit('/settings/appearance')).props.language, null)
  t.equal((await browser.submit('PATCH', '/settings/appearance', { language: 'x' })).props.language, null)
})

t.test('a sign-up keeps the language in which it was done', async (t) => {
  const { app, db } = await sharedApp(t)
  const browser = await Browser.open(app)
  const person = {
    name: 'Ana',
    email: 'ana@example.com',
    password: 'correct horse battery',
    password_confirmation: 'correct horse battery',
  }
  await browser.submit('POST', '/sign_up', person, german)
  const [saved] = await db.select().from(users)
  t.equal(saved?.language, 'de')
})

t.test('a client whose document speaks another language loads a new one, and keeps the message', async (t) => {
  const { browser } = await sharedPerson(t)
  const changed = await browser.request('PATCH', '/settings/appearance', { body: { language: 'de' } })
  t.equal(changed.statusCode, 303)
  const visit = await browser.request('GET', '/settings/appearance', { headers: { 'x-language': 'en' } })
  t.equal(visit.statusCode, 409)
  t.equal(visit.headers['x-inertia-location'], 'http://localhost:3000/settings/appearance')
  const some = {
    'x-language': 'en',
    'x-inertia-partial-component': 'settings/appearance',
    'x-inertia-partial-data': 'auth',
  }
  const reload = await browser.request('GET', '/settings/appearance', {
    headers: { ...some, 'cache-control': 'no-cache' },
  })
  t.equal(reload.statusCode, 200, 'what reloads in the background does not take the page away')
  const { page } = await browser.document('/settings/appearance')
  t.type(page.flash?.notice, 'string')
  const same = await browser.request('GET', '/settings/appearance', { headers: { 'x-language': 'de' } })
  t.equal(same.statusCode, 200)
})
