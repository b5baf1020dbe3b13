import assert from 'node:assert/strict'
import fc from 'fast-check'
import Fastify from 'fastify'
import t from 'tap'
import cookies from '../../../plugins/http/cookies.ts'
import { keyRing } from '../../../plugins/security/keys.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { signedUp } from '../../helpers/people.ts'

const keys = keyRing('a secret for the tests of cookies')('cookies')

/** A site that signs any value on request, and reports which signatures it accepts. */
async function startSite() {
  const site = Fastify()
  await site.register(cookies, { keys, secure: false })
  type Named = { Querystring: { name: string; value: string } }
  site.get<Named>('/sign', ({ query: { name, value } }, reply) => reply.setSignedCookie(name, value).send())
  site.get<Named>('/read', (request, reply) => reply.send({ value: request.signedCookie(request.query.name) }))
  return site
}

t.test('a session id signed as another cookie gives no access', async (t) => {
  const { app } = await sharedApp(t)
  const { page } = await signedUp(app)
  const thief = await Browser.open(app)
  await thief.request('POST', '/identity/password_reset', {
    body: { email: 'x@example.com', invitation: page.props.auth.session.id },
  })
  const signed = thief.cookies.get('invitation') ?? ''
  t.ok(signed.startsWith(page.props.auth.session.id), 'it is signed')

  thief.cookies.set('session_token', signed)
  t.equal((await thief.visit('/settings/profile')).component, 'auth/sign-in')
})

t.test('a value signed under one name is not accepted under another', async (t) => {
  const site = await startSite()
  t.teardown(() => site.close())
  const name = fc.stringMatching(/^[\w.-]{1,20}$/)

  await fc.assert(
    fc.asyncProperty(name, name, fc.string(), async (own, other, value) => {
      const signed = await site.inject({ url: '/sign', query: { name: own, value } })
      const cookie = String(signed.headers['set-cookie'])
        .split(';')[0]
        ?.slice(own.length + 1)
      const readAs = async (name: string) => {
        const response = await site.inject({ url: '/read', query: { name }, headers: { cookie: `${name}=${cookie}` } })
        return response.json().value
      }
      assert.equal(await readAs(own), value)
      if (own !== other) assert.equal(await readAs(other), undefined)
    }),
    { numRuns: 300 },
  )
})

t.test('under https, all cookies except the readable token are bound to this host', async (t) => {
  const { app } = await startApp(t, { HOST: 'https://app.example.com' })
  const { browser } = await signedUp(app)
  t.same([...browser.cookies.keys()].sort(), [
    'XSRF-TOKEN',
    '__Host-csrf_secret',
    '__Host-device',
    '__Host-session_token',
  ])
  t.equal((await browser.visit('/settings/profile')).component, 'settings/profile')

  const plain = new Browser(app)
  plain.cookies.set('session_token', browser.cookies.get('__Host-session_token') ?? '')
  t.equal(
    (await plain.visit('/settings/profile')).component,
    'auth/sign-in',
    'under the plain name nothing is believed',
  )
})
