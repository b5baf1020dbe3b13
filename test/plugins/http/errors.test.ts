import t from 'tap'
import { prefersJson } from '../../../plugins/http/errors.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'

t.test('clients that prefer JSON', async (t) => {
  const equal = ['application/json, */*', 'text/html, application/json']
  for (const accept of [undefined, '', '*/*', 'text/html', 'application/json;q=0', ...equal])
    t.equal(prefersJson(accept), false, String(accept))
  for (const accept of [
    ...['application/json', 'Application/JSON', 'application/*', 'application/json, text/plain'],
    ...['text/html;q=0.5, application/json', 'text/*;q=0.1, application/json;q=0.2'],
    'text/html;q=0.5,application/json;q=0.9',
  ])
    t.equal(prefersJson(accept), true, accept)
})

t.test('an internal error is the 500 page without details, but with the id of its request', async (t) => {
  const link = '<a class="other" href="mailto:help@example.com">Contact support</a>'
  for (const [support, environment] of [['', {}] as const, [link, { SUPPORT_EMAIL: 'help@example.com' }] as const]) {
    const { app } = await startApp(t, environment)
    await app.ready()
    await app.db.close()
    const response = await app.inject({ url: '/identity/password_reset/edit?sid=x' })
    t.equal(response.statusCode, 302, 'what needs no database goes on')

    const browser = await Browser.open(app)
    const failed = await browser.request('POST', '/sign_in', { body: { email: 'a', password: 'b' } })
    const help = `${support}<p class="reference">Reference: ${failed.headers['x-request-id']}</p>`
    const { body: page } = await app.inject('/500.html')
    t.same([failed.statusCode, failed.body], [500, page.replace('</main>', `${help}$&`)])
    const json = { accept: 'application/json' }
    const { body } = await browser.request('POST', '/sign_in', { body: {}, headers: json })
    t.equal(body, '{"status":500,"error":"Internal Server Error"}')
  }
})

/** The content policy as in the specification of headers, with other sources where they are allowed. */
const policyOf = (nonce: string, { script = '', connect = '', frame = '' } = {}) =>
  `default-src 'self'; script-src 'self'${script} ${nonce}; style-src 'self' ${nonce}; ` +
  `style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'${connect}; ${frame}` +
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

t.test('every response carries the security headers', async (t) => {
  const { app } = await sharedApp(t)
  const urls = ['/', '/sign_in', '/no/where', '/%', '/up', '/robots.txt', '/dashboard', '/.well-known/change-password']
  const requests = [
    ...urls.map((url) => ({ url })),
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
    if (headers.location) t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    const policy = String(headers['content-security-policy'])
    const [nonce = ''] = /'nonce-[^']+'/.exec(policy) ?? []
    t.equal(policy, policyOf(nonce))
    nonces.add(nonce)
  }
  t.equal(nonces.size, requests.length, 'with another nonce each')
})

t.test('pages may load from other sites that the operator allows, directive by directive', async (t) => {
  const js = ' https://js.example.com'
  const CSP_SOURCES = `script-src${js}; frame-src${js};connect-src wss://*.example.com`
  const { app } = await sharedApp(t, { CSP_SOURCES })
  const { headers } = await app.inject({ url: '/sign_in' })
  const policy = String(headers['content-security-policy']).replaceAll(/'nonce-[^']+'/g, 'NONCE')
  t.equal(policy, policyOf('NONCE', { script: js, connect: ' wss://*.example.com', frame: `frame-src 'self'${js}; ` }))
})
