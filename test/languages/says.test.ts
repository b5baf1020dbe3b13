import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { english, translate, translateCount } from '../../plugins/languages/translate.ts'
import { rendering, sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { inventedLanguage, startInvented } from '../helpers/invented-language.ts'
import { signedUp, somebody, verifiedUp } from '../helpers/people.ts'
import { type Received, startSmtp } from '../helpers/smtp.ts'

const esperanto = { 'accept-language': 'eo' }
const alert = 'Malĝusta retpoŝtadreso aŭ pasvorto'
const words = {
  'That email or password is incorrect': alert,
  "can't be blank": 'ne estu malplena',
}
const wrong = { email: 'a@example.com', password: 'x' }
const nameless = { ...somebody(), name: '' }

t.test('messages, alerts and precognition are in the language of the request', async (t) => {
  const { app } = await inventedLanguage(t, words)
  const browser = await Browser.open(app)
  const refused = await browser.submit('POST', '/sign_in', wrong, esperanto)
  t.same(refused.flash, { alert })
  const errors = { name: ['ne estu malplena'] }
  t.same((await browser.submit('POST', '/sign_up', nameless, esperanto)).props.errors, errors)
  const headers = { ...esperanto, precognition: 'true', 'precognition-validate-only': 'name' }
  const check = await browser.request('POST', '/sign_up', { body: nameless, headers })
  t.same(check.json(), { errors })
  t.equal(check.headers['content-language'], 'eo')
})

t.test('a message is in the language of the page that shows it, not of the request before', async (t) => {
  const { app } = await inventedLanguage(t, words)
  const browser = await Browser.open(app)
  await browser.request('POST', '/sign_in', { body: wrong })
  browser.cookies.set('language', 'eo')
  const { page } = await browser.document('/sign_in')
  t.same(page.flash, { alert })
})

t.test('error pages are in the language of the request, errors in JSON in English', async (t) => {
  const { app } = await sharedApp(t)
  const visit = (headers: Record<string, string> = {}) => app.inject({ url: '/nowhere/at/all', headers })
  for (const language of app.languages.values()) {
    const { tag, dir } = language
    const asked = { 'accept-language': tag }
    const page = await visit(asked)
    t.equal(page.statusCode, 404)
    t.match(page.body, tag === 'en' ? '<html lang="en">' : `<html lang="${tag}" dir="${dir}">`)
    t.match(page.body, translate(language, 'Page not found'))
    t.equal(page.headers['content-language'], tag)
    t.match(page.headers.vary, /Accept-Language/)
    const chosen = { 'accept-language': 'en', cookie: `a=b; language=${tag}` }
    t.equal((await visit(chosen)).body, page.body, 'or of the cookie')
    t.equal((await visit({ ...asked, accept: 'application/json' })).body, '{"status":404,"error":"Not Found"}')
  }
  t.equal((await visit()).body, (await app.inject('/404.html')).body, 'byte by byte what it was')
})

t.test("a mail is in the language of its reader when it is sent, or to a stranger in the inviter's", async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startInvented(t, smtp.environment, {
    'Reset your password': 'Restarigu vian pasvorton',
    '{inviter} invited you to {place} on {appName}': '{inviter} invitis vin al {place} ĉe {appName}',
  })
  const [ana, ben] = [await verifiedUp(app, { name: 'Ana' }), await verifiedUp(app, { name: 'Ben' })]
  const { email } = ben.person
  await (await Browser.open(app)).submit('POST', '/identity/password_reset', { email })
  for (const invited of ['stranger@example.com', email])
    await ana.browser.submit('POST', `/${ana.slug}/invitations`, { email: invited, role: 'member' })
  await db.update(users).set({ language: 'eo' })
  await app.jobs.startWorkers()
  const find = async (path: string, to: string) => {
    const isWanted = ({ recipient, text }: Received) => recipient === to && text?.includes(path)
    while (!smtp.mails.some(isWanted)) await smtp.next()
    return smtp.mails.find(isWanted)
  }
  const reset = await find('password_reset', email)
  t.equal(reset?.subject, 'Restarigu vian pasvorton')
  t.match(reset?.html, '<html lang="eo" dir="rtl">')
  t.match(reset?.text, '\u2068Ben\u2069', 'names are isolated')
  t.match(reset?.html, /<a class="link" dir="ltr"/)
  t.match((await find('/invitations/', email))?.subject, 'invitis vin al')
  const stranger = await find('/invitations/', 'stranger@example.com')
  t.match(
    stranger?.subject,
    /^\u2068?Ana\u2069? invitis vin al \u2068?Ana\u2069? ĉe/,
    'with the name of a personal workspace, too',
  )
})

t.test('ninety concurrent renderings in all languages never mix', async (t) => {
  const { app } = await sharedApp(t, rendering)
  const titles = Array.from(app.languages.values(), (each) => [each.tag, translate(each, 'Sign in')] as const)
  for (let wave = 0; wave < 3; wave++) {
    // As many as wait for a thread.
    const rendered = Array.from({ length: 30 }, async (_, index) => {
      const [tag = '', title = ''] = titles[index % titles.length] ?? []
      const { body } = await app.inject({ url: '/sign_in', headers: { 'accept-language': tag } })
      t.match(body, `<html lang="${tag}"`)
      t.equal(/<h1[^>]*>([^<]*)</.exec(body)?.[1], title)
    })
    await Promise.all(rendered)
  }
})

t.test('a name that changes direction is isolated from the words around it', async (t) => {
  const arabic = { tag: 'ar', dir: 'rtl', words: {} } as const
  const hello = (name: string) => translate(english, 'Hello {name}, welcome', { name })
  for (const name of ['Ana\u202e', 'Ana\u200f', 'Ana\u061c', '\u2067Ana\u2069', 'ليلى', 'דנה', '𞤀𞤣𞤢𞤥']) {
    t.equal(hello(name), `Hello \u2068${name}\u2069, welcome`)
  }
  for (const name of ['Ana', 'Zoë', '李', 'Иван', '👍🏽']) t.equal(hello(name), `Hello ${name}, welcome`)
  t.equal(translate(arabic, '{name}', { name: 'Ana' }), '\u2068Ana\u2069')

  const { app } = await sharedApp(t, rendering)
  const { browser, slug } = await signedUp(app, { name: 'Ana\u202e' })
  const { html } = await browser.document(`/${slug}/members`)
  t.match(html, '<title>Members · \u2068Ana\u202e\u2069 · Acme Accounts</title>')
  t.match(html, '<bdi>Ana\u202e</bdi>')
})

t.test('a missing translation falls back to English', async (t) => {
  const words = { Known: 'Bekannt', '{count} things': { other: '{count} Dinge' } }
  const speech = { tag: 'de', dir: 'ltr', words } as const
  t.equal(translate(speech, 'Known'), 'Bekannt')
  t.equal(translate(speech, 'Unknown'), 'Unknown')
  t.equal(translate(speech, 'constructor'), 'constructor', 'and nothing of JavaScript')
  t.equal(translate(speech, 'Hello {name}', { name: '{other}' }), 'Hello {other}', 'what is filled in is no text')
  const things = translateCount(speech, 1, '{count} thing', '{count} things')
  t.equal(things, '1 Dinge', 'a form that is missing is the other')
  t.equal(translateCount(speech, 1, '{count} cat', '{count} cats'), '1 cat')
  t.equal(translateCount(english, 12_345, '{count} cat', '{count} cats'), '12,345 cats')
})
