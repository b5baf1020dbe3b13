import { Agent, type IncomingHttpHeaders, request } from 'node:http'

type Answer = { status: number; headers: IncomingHttpHeaders; body: string }
type Sent = { body?: object; text?: string | Buffer; from?: string; headers?: Record<string, string> }

const agent = new Agent({ keepAlive: true, maxSockets: 2000 })
let addresses = 0

/** An unused client address. */
export const newAddress = () => {
  addresses++
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** A browser of an attacker or a victim. */
export class Browser {
  readonly #url: string
  readonly cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  static async open(url: string) {
    const browser = new Browser(url)
    await browser.send('GET', '/sign_in')
    return browser
  }

  /** Headers that a guest needs to submit a form. */
  get head() {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { cookie, 'x-xsrf-token': this.cookies.get('XSRF-TOKEN') ?? '' }
  }

  async send(
    method: string,
    path: string,
    { body, text = body && JSON.stringify(body), from = '10.255.0.1', headers = {} }: Sent = {},
  ): Promise<Answer> {
    const sent = {
      ...this.head,
      'x-forwarded-for': from,
      ...(text ? { 'content-type': 'application/json' } : {}),
      ...headers,
    }
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.#url}${path}`, { method, agent, headers: sent }, (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (piece) => (body += piece)).once('error', reject)
        response.once('end', () => {
          this.#keep(response.headers['set-cookie'] ?? [])
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        })
      })
      outgoing.once('error', reject)
      outgoing.end(text)
    })
  }

  #keep(lines: string[]) {
    for (const line of lines) {
      const [pair = ''] = line.split(';')
      const equals = pair.indexOf('=')
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

export const password = 'correct horse battery staple'

/** Signs up a user and returns the slug of their account. */
export async function signUp(url: string, email: string, name = 'Ada Lovelace') {
  const browser = await Browser.open(url)
  const body = { name, email, password, password_confirmation: password }
  const { status, headers } = await browser.send('POST', '/sign_up', { body, from: newAddress() })
  const slug = headers.location?.slice(1)
  if (status !== 302 || !slug || slug === 'sign_up') throw new Error(`nobody was signed up: ${status}`)
  return { browser, email, slug }
}

export const hangUp = () => agent.destroy()
