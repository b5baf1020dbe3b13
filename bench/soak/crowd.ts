import { randomUUID } from 'node:crypto'
import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import sharp from 'sharp'
import { formOf } from '../lib/upload.ts'
import { type Person, visit } from '../lib/visitor.ts'

// A separate process for all visitors. Requests are sent at a fixed rate, whether or not responses keep up.

export type Load = { url: string; people: Person[]; seconds: number; rate?: number; atOnce: number }

/**
 * Times in milliseconds, of accepted requests. `refused` lists the kinds of requests that got a 503. `failed` lists all
 * other unwanted responses, and connections without any.
 */
export type Outcome = {
  answered: number
  refused: string[]
  failed: string[]
  p99: number
  p99Of: Record<string, number>
  /** What each minute was like, which tells a moment's trouble from decline. */
  minutes: Minute[]
  /** How late the visitors themselves were, since they share the machine: part of all times above. */
  late: number
  acknowledged: Acknowledged
}

export type Minute = { answered: number; refused: number; p99: number }

/** The acknowledged writes: each person's name, new users, the sessions of sign-ins, and who uploaded a picture. */
export type Acknowledged = {
  names: [email: string, name: string][]
  emails: string[]
  sessions: string[]
  pictured: string[]
}

type Answer = { status: number; cookies: string[] }
type Kind = 'page' | 'visit' | 'write' | 'beat' | 'sign-in' | 'sign-up' | 'picture'

// Out of a hundred requests. Passwords cost most: three of a hundred take half of all CPU time.
const shares: [Kind, number][] = [
  ['page', 47],
  ['visit', 37],
  ['write', 8],
  ['beat', 4],
  ['sign-in', 2],
  ['sign-up', 1],
  ['picture', 1],
]
const order = shares.flatMap(([kind, share]) => Array<Kind>(share).fill(kind)).sort(() => Math.random() - 0.5)

process.on('message', async (load: Load) => process.send?.(await crowd(load)))
process.once('disconnect', () => process.exit())

async function crowd({ url, people, seconds, rate, atOnce }: Load): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const stranger = await visit(url)
  const strangersCookie = [...stranger.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const names = new Map<string, string>()
  const emails: string[] = []
  const sessions: string[] = []
  const pictured = new Set<string>()
  const picture = await photograph()
  // one write per person at a time, so the last name is known
  const busy = new Set<Person>()
  const took = Object.fromEntries(shares.map(([kind]) => [kind, []])) as unknown as Record<Kind, number[]>
  const failed: string[] = []
  const refused: Kind[] = []
  const byMinute: { took: number[]; refused: number }[] = []
  let turn = 0

  const thisMinute = () => {
    const minute = Math.floor((performance.now() - begun) / 60_000)
    while (byMinute.length <= minute) byMinute.push({ took: [], refused: 0 })
    return byMinute[minute] as (typeof byMinute)[number]
  }

  async function act() {
    const kind = order[turn % order.length] ?? 'page'
    const person = people[turn % people.length]
    turn++
    if (!person) throw new Error('nobody is there')
    const start = performance.now()
    try {
      const { status } = await acts[kind](person)
      if (status === 503) {
        refused.push(kind)
        thisMinute().refused++
      } else if (status >= 400) failed.push(`${kind}: ${status}`)
      else {
        took[kind].push(performance.now() - start)
        thisMinute().took.push(performance.now() - start)
      }
    } catch (error) {
      failed.push(`${kind}: ${(error as NodeJS.ErrnoException).code ?? error}`)
    }
  }

  const acts: Record<Kind, (person: Person) => Promise<Answer>> = {
    page: ({ slug, cookie }) => send('GET', `/${slug}`, { cookie, accept: 'text/html' }),
    visit: ({ slug, cookie }) => send('GET', `/${slug}/members`, { cookie, 'x-inertia': 'true' }),
    async write(person) {
      if (busy.has(person)) return acts.page(person)
      busy.add(person)
      const name = `Ada ${randomUUID()}`
      names.delete(person.email) // a rejected or aborted write may or may not persist, only a response tells
      const answer = await send(
        'PATCH',
        '/settings/profile',
        { ...own(person), 'x-inertia': 'true' },
        { name },
      ).finally(() => busy.delete(person))
      if (answer.status === 303) names.set(person.email, name)
      else if (answer.status < 400) throw new Error(`a name was answered with ${answer.status}`)
      return answer
    },
    beat: (person) => {
      const identifier = JSON.stringify({ account: person.slug, channel: 'AccountChannel' })
      return send('POST', '/live/presence', own(person), { identifier, tab_id: `tab-${turn % 3}`, state: {} })
    },
    async 'sign-in'({ email, password }) {
      const answer = await send('POST', '/sign_in', anybody(), { email, password })
      const token = answer.cookies.find((cookie) => cookie.startsWith('session_token='))
      if (token) sessions.push(decodeURIComponent(token.slice('session_token='.length)).split('.')[0] ?? '')
      else if (answer.status < 400) throw new Error('nobody was signed in')
      return answer
    },
    async 'sign-up'({ password }) {
      const email = `${randomUUID()}@example.com`
      const body = { name: 'Ada Lovelace', email, password, password_confirmation: password }
      const answer = await send('POST', '/sign_up', anybody(), body)
      if (answer.cookies.some((cookie) => cookie.startsWith('session_token='))) emails.push(email)
      else if (answer.status < 400) throw new Error('nobody was signed up')
      return answer
    },
    async picture(person) {
      const { headers, body } = formOf(picture)
      const answer = await send('PUT', '/settings/picture', { ...own(person), ...headers, 'x-inertia': 'true' }, body)
      if (answer.status === 303) pictured.add(person.email)
      else if (answer.status < 400) throw new Error(`a picture was answered with ${answer.status}`)
      return answer
    },
  }

  const own = ({ cookie }: Person) => ({ cookie, 'x-xsrf-token': /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '' })
  const anybody = () => ({ ...stranger.csrf, cookie: strangersCookie })

  /** Each request uses a new client address, so rate limits count every request but block none. */
  function send(method: string, path: string, headers: OutgoingHttpHeaders, body?: object | Buffer) {
    const address = `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`
    const bytes = body && (Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)))
    const about = bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {}
    const all = { 'x-forwarded-for': address, ...about, ...headers }
    return new Promise<Answer>((resolve, reject) => {
      request(`${url}${path}`, { method, agent, headers: all, timeout: 30_000 }, (response) => {
        const { statusCode: status = 0, headers } = response
        response.once('error', reject)
        response.resume().once('end', () => resolve({ status, cookies: headers['set-cookie'] ?? [] }))
      })
        .once('timeout', () => reject(new Error('no answer within 30 s')))
        .once('error', reject)
        .end(bytes)
    })
  }

  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const begun = performance.now()
  const isOver = () => performance.now() - begun > seconds * 1000
  if (rate === undefined) {
    const again = async () => {
      while (!isOver()) await act()
    }
    await Promise.all(Array.from({ length: atOnce }, again))
  } else {
    const going = new Set<Promise<void>>()
    for (let due = 0; !isOver(); await new Promise((resolve) => setTimeout(resolve, 5))) {
      for (const now = ((performance.now() - begun) / 1000) * rate; due < now; due++) {
        if (going.size >= atOnce) continue
        const one = act().finally(() => going.delete(one))
        going.add(one)
      }
    }
    await Promise.all(going)
  }
  agent.destroy()
  delay.disable()

  const all = Object.values(took).flat()
  return {
    answered: all.length,
    refused,
    minutes: Array.from(byMinute, ({ took, refused }) => ({
      answered: took.length,
      refused,
      p99: percentile(took, 0.99),
    })),
    failed,
    p99: percentile(all, 0.99),
    p99Of: Object.fromEntries(Object.entries(took).map(([kind, times]) => [kind, percentile(times, 0.99)])),
    late: delay.percentile(99) / 1e6,
    acknowledged: { names: [...names], emails, sessions, pictured: [...pictured] },
  }
}

/** Of the size that a browser sends, and as hard to decode as a photograph. */
const photograph = () =>
  sharp({
    create: { width: 512, height: 512, channels: 3, background: 'teal', noise: { type: 'gaussian', sigma: 30 } },
  })
    .jpeg({ quality: 80 })
    .toBuffer()

const percentile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN
