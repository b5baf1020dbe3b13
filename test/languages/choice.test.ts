import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { readCatalogs } from '../../plugins/languages/index.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { inventedLanguage } from '../helpers/invented-language.ts'
import { signedUp, somebody, userRow } from '../helpers/people.ts'

const asking = (language: string) => ({ 'accept-language': language })
const tagOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1]

t.test("a page is in the browser's language and declares it", async (t) => {
  const { app } = await inventedLanguage(t)
  const cases: [string | undefined, tag: string][] = [
    ['eo-XX,eo;q=0.9,en;q=0.5', 'eo'],
    ['en', 'en'],
    ['fr, en;q=0.2, eo;q=0.5', 'eo'],
    ['fr', 'en'],
    ['*', 'en'],
    ['eo;q=0', 'en'],
    ['; ;q=,,,', 'en'],
    ['eo-'.repeat(5_000), 'eo'],
    [undefined, 'en'],
  ]
  for (const [asked, tag] of cases) {
    const { body, headers } = await app.inject({ url: '/sign_in', headers: asked ? asking(asked) : {} })
    t.match(body, `<html lang="${tag}" dir="${tag === 'eo' ? 'rtl' : 'ltr'}">`, String(asked).slice(0, 40))
    t.equal(headers['content-language'], tag)
    t.match(headers.vary, /Accept-Language/)
  }
})

t.test('LANGUAGES says which languages there are, and the first is the default', async (t) => {
  const [first, ...others] = [...(await readCatalogs()).values()].toReversed()
  const { app } = await sharedApp(t, { LANGUAGES: [first, ...others].map((each) => each?.tag).join(', ') })
  for (const [asked, tag] of [['', first?.tag], ...others.map((each) => [each.tag, each.tag])] as [string, string][]) {
    const { body } = await app.inject({ url: '/sign_in', headers: asking(asked) })
    t.equal(tagOf(body), tag)
  }
  const { body } = await (await sharedApp(t, { LANGUAGES: 'en' })).app.inject({ url: '/sign_in' })
  t.notMatch(body, `lang="${first?.tag === 'en' ? 'xx' : first?.tag}"`)
})

t.test('guests choose a language, which their browser keeps', async (t) => {
  const { app } = await inventedLanguage(t)
  const browser = await Browser.open(app)
  const headers = { referer: 'http://localhost:3000/sign_up?x=1' }
  const response = await browser.request('POST', '/language', { body: { language: 'eo' }, headers })
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/sign_up?x=1')
  const cookie = response.cookies.find(({ name }) => name === 'language')
  t.match(cookie, { value: 'eo', maxAge: 34_560_000, path: '/', sameSite: 'Lax' })
  t.notOk(cookie?.httpOnly)
  t.equal(tagOf((await browser.document('/sign_in')).html), 'eo')

  const evil = { body: { language: 'en' }, headers: { referer: 'https://evil.example/x' } }
  t.equal((await browser.request('POST', '/language', evil)).headers.location, '/')
})

t.test('a language that does not exist is refused', async (t) => {
  const { app } = await inventedLanguage(t)
  const browser = await Browser.open(app)
  const referer = 'http://localhost:3000/sign_in'
  const page = await browser.submit('POST', '/language', { language: 'tlh' }, { referer })
  t.equal(page.url, '/sign_in', 'where it was asked for')
  t.same(page.props.errors, { language: ['is not included in the list'] })
  t.notOk(browser.cookies.has('language'))
  browser.cookies.set('language', '../../etc/passwd')
  t.equal(tagOf((await browser.document('/sign_in')).html), 'en')
})

t.test('what a person chose goes before the cookie and the browser', async (t) => {
  const { app, db } = await inventedLanguage(t)
  const { browser, user } = await signedUp(app)
  const page = await browser.submit('PATCH', '/settings/appearance', { language: 'eo' })
  t.equal(page.url, '/settings/appearance')
  t.equal(page.props.language, 'eo')
  t.equal((await userRow(db, user.id)).language, 'eo')

  browser.cookies.set('language', 'en')
  const response = await browser.send('GET', '/settings/appearance', { headers: asking('en') })
  t.equal(tagOf(response.body), 'eo')
  t.equal(response.headers['content-language'], 'eo')

  await browser.submit('POST', '/language', { language: 'en' })
  t.equal((await browser.visit('/settings/appearance')).props.language, 'en')
  await browser.submit('PATCH', '/settings/appearance', { language: null })
  t.equal((await browser.visit('/settings/appearance')).props.language, null)
  t.equal((await browser.submit('PATCH', '/settings/appearance', { language: 'x' })).props.language, null)
})

t.test('a sign-up keeps the language in which it was done', async (t) => {
  const { app, db } = await inventedLanguage(t)
  await (await Browser.open(app)).submit('POST', '/sign_up', somebody(), asking('eo-XX,eo;q=0.9,en;q=0.5'))
  const [saved] = await db.select().from(users)
  t.equal(saved?.language, 'eo')
})

t.test('a client whose document speaks another language loads a new one, and keeps the message', async (t) => {
  const { app } = await inventedLanguage(t)
  const { browser } = await signedUp(app)
  await browser.request('PATCH', '/settings/appearance', { body: { language: 'eo' } })
  const visit = (headers: Record<string, string>) => browser.request('GET', '/settings/appearance', { headers })
  const other = await visit({ 'x-language': 'en' })
  t.equal(other.statusCode, 409)
  t.equal(other.headers['x-inertia-location'], 'http://localhost:3000/settings/appearance')
  const part = { 'x-inertia-partial-component': 'settings/appearance', 'x-inertia-partial-data': 'auth' }
  const reload = await visit({ 'x-language': 'en', 'cache-control': 'no-cache', ...part })
  t.equal(reload.statusCode, 200, 'what reloads in the background does not take the page away')
  const { page } = await browser.document('/settings/appearance')
  t.type(page.flash?.notice, 'string')
  t.equal((await visit({ 'x-language': 'eo' })).statusCode, 200)
})
