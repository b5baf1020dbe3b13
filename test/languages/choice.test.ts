import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { rendering, sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { sharedPerson, somebody, userRow } from '../helpers/people.ts'

const asking = (language: string) => ({ 'accept-language': language })
const tagOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1]

t.test("a page is in the browser's language and declares it", async (t) => {
  const { app } = await sharedApp(t, rendering)
  const cases: [string | undefined, tag: string][] = [
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['ar', 'ar'],
    ['en', 'en'],
    ['fr, ar;q=0.2, de;q=0.5', 'de'],
    ['fr', 'en'],
    ['*', 'en'],
    ['de;q=0', 'en'],
    ['; ;q=,,,', 'en'],
    ['de-'.repeat(5_000), 'de'],
    [undefined, 'en'],
  ]
  const titles: Record<string, string> = { de: 'Anmelden', ar: 'تسجيل الدخول', en: 'Sign in' }
  for (const [asked, tag] of cases) {
    const { body, headers } = await app.inject({ url: '/sign_in', headers: asked ? asking(asked) : {} })
    t.match(body, `<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">`, String(asked).slice(0, 40))
    t.match(body, `<h1 dir="auto" id="content" tabindex="-1">${titles[tag]}</h1>`)
    t.equal(headers['content-language'], tag)
    t.match(headers.vary, /Accept-Language/)
  }
})

t.test('LANGUAGES says which languages there are, and the first is the default', async (t) => {
  const { app } = await sharedApp(t, { LANGUAGES: 'de, ar' })
  for (const [asked, tag] of Object.entries({ '': 'de', en: 'de', ar: 'ar' })) {
    const { body } = await app.inject({ url: '/sign_in', headers: asking(asked) })
    t.equal(tagOf(body), tag)
    t.match(body, /name="languages" content="[^"]*Deutsch[^"]*"/)
  }
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

  const evil = { body: { language: 'ar' }, headers: { referer: 'https://evil.example/x' } }
  t.equal((await browser.request('POST', '/language', evil)).headers.location, '/')
})

t.test('a language that does not exist is refused', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const referer = 'http://localhost:3000/sign_in'
  const page = await browser.submit('POST', '/language', { language: 'tlh' }, { referer })
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
  t.equal((await userRow(db, user.id)).language, 'de')

  browser.cookies.set('language', 'ar')
  const response = await browser.send('GET', '/settings/appearance', { headers: asking('en') })
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
  await (await Browser.open(app)).submit('POST', '/sign_up', somebody(), asking('de-AT,de;q=0.9,en;q=0.5'))
  const [saved] = await db.select().from(users)
  t.equal(saved?.language, 'de')
})

t.test('a client whose document speaks another language loads a new one, and keeps the message', async (t) => {
  const { browser } = await sharedPerson(t)
  await browser.request('PATCH', '/settings/appearance', { body: { language: 'de' } })
  const visit = (headers: Record<string, string>) => browser.request('GET', '/settings/appearance', { headers })
  const other = await visit({ 'x-language': 'en' })
  t.equal(other.statusCode, 409)
  t.equal(other.headers['x-inertia-location'], 'http://localhost:3000/settings/appearance')
  const part = { 'x-inertia-partial-component': 'settings/appearance', 'x-inertia-partial-data': 'auth' }
  const reload = await visit({ 'x-language': 'en', 'cache-control': 'no-cache', ...part })
  t.equal(reload.statusCode, 200, 'what reloads in the background does not take the page away')
  const { page } = await browser.document('/settings/appearance')
  t.type(page.flash?.notice, 'string')
  t.equal((await visit({ 'x-language': 'de' })).statusCode, 200)
})
