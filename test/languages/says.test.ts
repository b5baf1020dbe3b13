import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { english, translate, translateCount } from '../../plugins/languages/translate.ts'
import { rendering, sharedApp, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { signedUp, somebody, verifiedUp } from '../helpers/people.ts'
import { type Received, startSmtp } from '../helpers/smtp.ts'

const german = { 'accept-language': 'de' }
const wrong = { email: 'a@example.com', password: 'x' }
const nameless = { ...somebody(), name: '' }

t.test('messages, alerts and precognition are in the language of the request', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const refused = await browser.submit('POST', '/sign_in', wrong, german)
  t.same(refused.flash, { alert: 'E-Mail-Adresse oder Passwort ist falsch' })
  const errors = { name: ['darf nicht leer sein'] }
  t.same((await browser.submit('POST', '/sign_up', nameless, german)).props.errors, errors)
  const headers = { ...german, precognition: 'true', 'precognition-validate-only': 'name' }
  const check = await browser.request('POST', '/sign_up', { body: nameless, headers })
  t.same(check.json(), { errors })
  t.equal(check.headers['content-language'], 'de')
})

t.test('a message is in the language of the page that shows it, not of the request before', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  await browser.request('POST', '/sign_in', { body: wrong })
  browser.cookies.set('language', 'de')
  const { page } = await browser.document('/sign_in')
  t.same(page.flash, { alert: 'E-Mail-Adresse oder Passwort ist falsch' })
})

t.test('error pages are in the language of the request, errors in JSON in English', async (t) => {
  const { app } = await sharedApp(t)
  const visit = (headers: Record<string, string> = {}) => app.inject({ url: '/nowhere/at/all', headers })
  for (const [language, words, dir] of [
    ['de', 'Seite nicht gefunden', 'ltr'],
    ['ar', 'الصفحة غير موجودة', 'rtl'],
  ] as const) {
    const asked = { 'accept-language': language }
    const page = await visit(asked)
    t.equal(page.statusCode, 404)
    t.match(page.body, `<html lang="${language}" dir="${dir}">`)
    t.match(page.body, words)
    t.equal(page.headers['content-language'], language)
    t.match(page.headers.vary, /Accept-Language/)
    const chosen = { 'accept-language': 'en', cookie: `a=b; language=${language}` }
    t.equal((await visit(chosen)).body, page.body, 'or of the cookie')
    t.equal((await visit({ ...asked, accept: 'application/json' })).body, '{"status":404,"error":"Not Found"}')
  }
  t.equal((await visit()).body, (await app.inject('/404.html')).body, 'byte by byte what it was')
})

t.test("a mail is in the language of its reader when it is sent, or to a stranger in the inviter's", async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const [ana, ben] = [await verifiedUp(app, { name: 'Ana' }), await verifiedUp(app, { name: 'Ben' })]
  const { email } = ben.person
  await (await Browser.open(app)).submit('POST', '/identity/password_reset', { email })
  for (const invited of ['stranger@example.com', email])
    await ana.browser.submit('POST', `/${ana.slug}/invitations`, { email: invited, role: 'member' })
  await db.update(users).set({ language: 'de' }).where(eq(users.id, ana.user.id))
  await db.update(users).set({ language: 'ar' }).where(eq(users.id, ben.user.id))
  await app.jobs.startWorkers()
  const find = async (path: string, to: string) => {
    const isWanted = ({ recipient, text }: Received) => recipient === to && text?.includes(path)
    while (!smtp.mails.some(isWanted)) await smtp.next()
    return smtp.mails.find(isWanted)
  }
  const reset = await find('password_reset', email)
  t.equal(reset?.subject, 'إعادة تعيين كلمة المرور')
  t.match(reset?.html, '<html lang="ar" dir="rtl">')
  t.match(reset?.text, '\u2068Ben\u2069', 'names are isolated')
  t.match(reset?.html, /<a class="link" dir="ltr"/)
  t.match((await find('/invitations/', email))?.subject, 'دعوة من')
  const stranger = await find('/invitations/', 'stranger@example.com')
  t.equal(stranger?.subject, 'Ana lädt Sie ein: Ana bei Acme Accounts', 'with the name of a personal workspace, too')
})

t.test('ninety concurrent renderings in three languages never mix', async (t) => {
  const { app } = await sharedApp(t, rendering)
  const titles = Object.entries({ en: 'Sign in', de: 'Anmelden', ar: 'تسجيل الدخول' })
  const all = Array(10).fill(titles).flat() as typeof titles // as many as wait for a thread
  for (let wave = 0; wave < 3; wave++) {
    const rendered = all.map(async ([tag, title]) => {
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
