import t from 'tap'
import { users } from '../../../drizzle/schema.ts'
import { sharedApp } from '../../helpers/app.ts'
import { sharedAcme, sharedPerson, signedUp, somebody } from '../../helpers/people.ts'

const origin = 'http://localhost:3000'
const there = { name: 'Changed' }

t.test('nothing is changed for anyone but whom the page shows', async (t) => {
  const { app, db } = await sharedApp(t)
  const [ana, ben] = [await signedUp(app), await signedUp(app)]
  const { browser, person, user } = ben
  const alert = `You are signed in as ${person.email} now. Nothing was changed`
  const save = (shown: string, referer = `${origin}/settings/email?a=1`) =>
    browser.request('PATCH', '/settings/profile', { body: there, headers: { 'x-signed-in-as': shown, referer } })

  for (const shown of [String(ana.user.id), 'guest', '0']) {
    const response = await save(shown)
    t.same([response.statusCode, response.headers.location], [303, '/settings/email?a=1'], shown)
    t.same((await browser.follow(response)).flash, { alert })
  }
  for (const [referer, location] of Object.entries({
    '': '/',
    'https://evil.example/settings/email': '/',
    [`${origin}/sign_in?return_to=%2Fa`]: '/',
    [`${origin}/sign_up/`]: '/',
    [`${origin}/sign_in/with/github`]: '/',
    [`${origin}/sign_in/verify`]: '/sign_in/verify',
  }))
    t.equal((await save('guest', referer)).headers.location, location, referer)
  const headers = { 'x-signed-in-as': 'guest' }
  for (const [method, url, body] of [
    ['POST', '/sign_up', somebody()],
    ['POST', '/settings/export', {}],
  ] as const)
    t.equal((await browser.request(method, url, { body, headers })).headers.location, '/', url)
  t.equal(await db.$count(users), 2)
  t.same((await browser.visit('/settings/profile')).props.auth.user.name, person.name)

  for (const shown of [String(user.id), '', 'nobody', `${ana.user.id}x`, '-1', '1'.repeat(16)])
    t.equal((await save(shown)).headers.location, '/settings/profile', shown)
  browser.cookies.delete('session_token')
  t.equal((await save('guest')).statusCode, 422, 'without a session, other checks decide')
})

t.test('JSON clients and precognition get a 409', async (t) => {
  const { browser } = await sharedPerson(t)
  for (const precognition of ['true', 'false']) {
    const headers = { 'x-signed-in-as': 'guest', accept: 'application/json', ...browser.csrfHeader(), precognition }
    const response = await browser.send('PATCH', '/settings/profile', { body: there, headers })
    t.same([response.statusCode, response.body], [409, '{"status":409,"error":"Conflict"}'])
    t.same([response.headers['cache-control'], response.headers.precognition], ['no-store', undefined])
  }
})

t.test('a page is not mixed with what another person sees, who may not even see it', async (t) => {
  const { app, owner, join } = await sharedAcme(t)
  const [member, stranger] = [await join('member'), await signedUp(app)]
  const shown = { 'x-signed-in-as': String(owner.user.id) }
  const part = { ...shown, 'x-inertia-partial-component': 'accounts/members', 'x-inertia-partial-data': 'members' }

  const response = await member.browser.request('GET', '/acme/members', { headers: part })
  t.match(response, { statusCode: 409, headers: { 'x-inertia-location': `${origin}/acme/members` } })
  t.equal((await member.browser.visit('/acme/members', shown)).component, 'accounts/members')
  t.equal((await owner.browser.visit('/acme/members', part)).component, 'accounts/members')

  const rename = { body: there, headers: { ...shown, referer: `${origin}/acme/settings` } }
  const refused = await stranger.browser.request('PATCH', '/acme/settings', rename)
  t.equal(refused.headers.location, '/acme/settings')
  const page = await stranger.browser.follow(refused, shown)
  t.equal(page.url, `/${stranger.slug}`)
  t.match(page.flash?.alert, /Nothing was changed$/)
  t.equal((await stranger.browser.request('GET', '/acme/settings')).statusCode, 404)
})
