import t from 'tap'
import { prefersJson, Unavailable } from '../../../plugins/http/errors.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'

t.test('clients that prefer JSON', async (t) => {
  for (const accept of [
    'application/json',
    'application/json, text/plain',
    'text/html;q=0.5, application/json',
    'text/html;q=0.5,application/json;q=0.9',
    'application/*',
    'Application/JSON',
    'text/*;q=0.1, application/json;q=0.2',
  ]) {
    t.equal(prefersJson(accept), true, accept)
  }
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/json, */*',
    'text/html',
    'text/html, application/json',
    'application/json;q=0',
  ]) {
    t.equal(prefersJson(accept), false, String(accept))
  }
})

t.test('an unknown path is the 404 page, or JSON if the client prefers it', async (t) => {
  const { app } = await sharedApp(t)
  const html = await app.inject({ url: '/no/where' })
  t.equal(html.statusCode, 404)
  t.equal(html.headers['content-type'], 'text/html; charset=utf-8')
  t.equal(html.headers['cache-control'], 'no-cache')
  const json = await app.inject({ url: '/no/where', headers: { accept: 'application/json' } })
  t.equal(json.statusCode, 404)
  t.equal(json.body, '{"status":404,"error":"Not Found"}')
  t.equal(json.headers['content-type'], 'application/json; charset=utf-8')
  t.equal(json.headers['cache-control'], 'no-cache')
})

t.test('an internal error is the 500 page without details', async (t) => {
  const { app } = await startApp(t)
  await app.db.close()
  const browser = new Browser(app)
  browser.cookies.set('session_token', `${'a'.repeat(43)}.x`)
  const response = await app.inject({ url: '/identity/password_reset/edit?sid=x' })
  t.equal(response.statusCode, 302, 'what needs no database goes on')

  const post = await Browser.open(app)
  const failed = await post.request('POST', '/sign_in', { body: { email: 'a', password: 'b' } })
  t.equal(failed.statusCode, 500)
  t.match(failed.body, /<!doctype html>/i)
  t.notMatch(failed.body, /CONNECTION|Error:|at /)
  const json = await post.request('POST', '/sign_in', { body: {}, headers: { accept: 'application/json' } })
  t.equal(json.body, '{"status":500,"error":"Internal Server Error"}')
})

t.test('temporary failures are a 503 with Retry-After', async (t) => {
  const { app } = await startApp(t)
  app.get('/busy', () => Promise.reject(new Unavailable('all are busy')))
  app.get('/long', () => Promise.reject(new Unavailable('all are busy', { retryAfter: 30 })))

  const html = await app.inject('/busy')
  t.equal(html.statusCode, 503)
  t.equal(html.body, (await app.inject('/500.html')).body)
  t.equal(html.headers['retry-after'], '5')
  const json = await app.inject({ url: '/long', headers: { accept: 'application/json' } })
  t.equal(json.body, '{"status":503,"error":"Service Unavailable"}')
  t.equal(json.headers['retry-after'], '30')
})

t.test('every response carries the security headers', async (t) => {
  const { app } = await sharedApp(t)
  const requests = [
    { url: '/' },
    { url: '/sign_in' },
    { url: '/no/where' },
    { url: '/%' },
    { url: '/up' },
    { url: '/robots.txt' },
    { url: '/dashboard' },
    { url: '/.well-known/change-password' },
    { url: '/sign_in', method: 'POST' as const },
    { url: '/', headers: { 'user-agent': 'Mozilla/4.0 (compatible; MSIE 8.0)' } },
  ]
  const nonces = new Set()
  for (const request of requests) {
    const { headers } = await app.inject(request)
    t.match(headers, {
      'x-frame-options': 'DENY',
      'x-xss-protection': '0',
      'x-content-type-options': 'nosniff',
      'x-permitted-cross-domain-policies': 'none',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      'cross-origin-opener-policy': 'same-origin',
    })
    t.equal(headers['x-powered-by'], undefined)
    if (headers.location) {
      t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    }
    const policy = String(headers['content-security-policy'])
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
    nonces.add(nonce)
    t.equal(
      policy,
      `default-src 'self'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; ` +
        "style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
  }
  t.equal(nonces.size, requests.length, 'with another nonce each')
})

t.test('under https everything is upgraded', async (t) => {
  const { app } = await startApp(t, { HOST: 'https://app.example.com' })
  const { headers } = await app.inject({ url: '/sign_in' })
  t.match(headers['content-security-policy'], /; upgrade-insecure-requests$/)
  for (const cookie of [headers['set-cookie']].flat()) t.match(cookie, /; Secure/)
})

t.test('pages may load from other sites that the operator allows, directive by directive', async (t) => {
  const CSP_SOURCES =
    'script-src https://js.example.com; frame-src https://js.example.com;connect-src wss://*.example.com'
  const { app } = await startApp(t, { CSP_SOURCES })
  const { headers } = await app.inject({ url: '/sign_in' })
  const policy = String(headers['content-security-policy']).replaceAll(/'nonce-[^']+'/g, 'NONCE')
  t.same(policy.split('; '), [
    "default-src 'self'",
    "script-src 'self' https://js.example.com NONCE",
    "style-src 'self' NONCE",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self' wss://*.example.com",
    "frame-src 'self' https://js.example.com",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ])
})
