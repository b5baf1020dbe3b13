import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Sent = { headers?: Record<string, string>; body?: unknown; form?: Record<string, string> }

/** The page object as sent by the server. */
export type Page = {
  component: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at props of every page
  props: Record<string, any>
  url: string
  version: string
  flash?: { notice?: string; alert?: string; [key: string]: unknown }
  clearHistory?: true
  [key: string]: unknown
}

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Does what a browser does: keeps cookies, returns the CSRF token, speaks the Inertia protocol, follows redirects. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly headers: Record<string, string>
  readonly #app: FastifyInstance
  #version = ''

  constructor(app: FastifyInstance, { ip = '203.0.113.7', userAgent = chrome } = {}) {
    this.#app = app
    this.headers = { 'user-agent': userAgent, 'x-forwarded-for': ip }
  }

  /** Opens a browser on the sign-in page. */
  static async open(app: FastifyInstance, options?: { ip?: string; userAgent?: string }) {
    const browser = new Browser(app, options)
    await browser.document('/sign_in')
    return browser
  }

  /** Another browser with the same cookies, or the same one after a restart as this application. */
  copy(app = this.#app) {
    const copy = new Browser(app)
    for (const [name, value] of this.cookies) copy.cookies.set(name, value)
    return copy
  }

  /** Sends a single request with this browser's cookies. */
  async send(method: Method, url: string, { headers = {}, body, form }: Sent = {}) {
    const options: InjectOptions = {
      method,
      url,
      headers: { ...this.headers, cookie: this.cookieHeader(), ...headers },
    }
    if (form) {
      options.payload = new URLSearchParams(form).toString()
      options.headers = { ...options.headers, 'content-type': 'application/x-www-form-urlencoded' }
    } else if (body instanceof FormData) {
      const encoded = new Response(body)
      options.payload = Buffer.from(await encoded.arrayBuffer())
      options.headers = { ...options.headers, 'content-type': encoded.headers.get('content-type') ?? '' }
    } else if (body !== undefined) {
      options.payload = JSON.stringify(body)
      options.headers = { 'content-type': 'application/json', ...options.headers }
    }
    const response = await this.#app.inject(options)
    this.#keepCookies(response)
    return response
  }

  /** Sends a request like the Inertia client. */
  async request(method: Method, url: string, sent: Sent = {}) {
    this.#version ||= await versionOf(this.#app)
    return this.send(method, url, { ...sent, headers: { ...this.protocolHeaders(), ...sent.headers } })
  }

  /** Visits a page and follows redirects. */
  async visit(url: string, headers?: Record<string, string>) {
    return this.follow(await this.request('GET', url, { headers }), headers)
  }

  /** Submits a form like the client and follows redirects to the resulting page. */
  async submit(method: Method, url: string, body: unknown = {}, headers?: Record<string, string>) {
    return this.follow(await this.request(method, url, { body, headers }), headers)
  }

  async follow(response: LightMyRequestResponse, headers?: Record<string, string>, count = 0): Promise<Page> {
    const { location } = response.headers
    if (location && count === 20) throw new Error(`redirects that do not end lead to ${location}`)
    if (location) return this.follow(await this.request('GET', location, { headers }), headers, count + 1)
    if (response.headers['x-inertia'] !== 'true')
      throw new Error(`no page but ${response.statusCode}: ${response.body.slice(0, 80)}`)
    return response.json<Page>()
  }

  /** The page object in the HTML of a full page load, after redirects. */
  async document(url: string): Promise<{ page: Page; html: string; response: LightMyRequestResponse }> {
    const response = await this.send('GET', url, { headers: { accept: 'text/html' } })
    if (response.headers.location) return this.document(response.headers.location)
    const page = pageIn(response.body)
    this.#version = page.version
    return { page, html: response.body, response }
  }

  /** Sends a validate-only request. `only` lists the touched fields. */
  precognize(method: Method, url: string, body: unknown, only?: string) {
    const asked: Record<string, string> = only === undefined ? {} : { 'precognition-validate-only': only }
    const headers = { accept: 'application/json', precognition: 'true', ...asked, ...this.csrfHeader() }
    return this.send(method, url, { body, headers })
  }

  protocolHeaders() {
    return {
      accept: 'text/html, application/xhtml+xml',
      'x-requested-with': 'XMLHttpRequest',
      'x-inertia': 'true',
      'x-inertia-version': this.#version,
      ...this.csrfHeader(),
    }
  }

  csrfHeader(): Record<string, string> {
    const token = this.cookies.get('XSRF-TOKEN')
    return token ? { 'x-xsrf-token': decodeURIComponent(token) } : {}
  }

  cookieHeader() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  // Values stay percent-encoded, since that is what a browser sends back.
  #keepCookies(response: LightMyRequestResponse) {
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(pair.indexOf('=') + 1)
      if (value === '' || attributes.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

/** The asset version, which a browser knows from its first document. */
async function versionOf(app: FastifyInstance) {
  const { body } = await app.inject({ url: '/sign_in', headers: { 'user-agent': chrome } })
  return pageIn(body).version
}

function pageIn(html: string): Page {
  const json = /<script data-page="app" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1]
  if (!json) throw new Error(`no page in ${html}`)
  return JSON.parse(json)
}

/** What a browser asks for after it has shown the page. */
export async function deferredProps(browser: Browser, path: string) {
  const { deferredProps } = await browser.visit(path)
  const names = (deferredProps as { default: string[] }).default
  const headers = { 'x-inertia-partial-component': 'accounts/show', 'x-inertia-partial-data': names.join() }
  const { auth, errors, ...props } = (await browser.visit(path, headers)).props
  if (Object.keys(props).length !== names.length) throw new Error(`not all of ${names}`)
  return props
}
