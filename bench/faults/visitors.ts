import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { Browser, newAddress, password, signUp } from '../abuse/attacker.ts'

/** A response and its time. Status 0 means that there was none. */
export type Answer = { at: number; until: number; status: number; isRight: boolean }
/** The new name of an account, or the address of a new user. */
export type Write = { kind: 'name' | 'person'; text: string; at: number; isAcknowledged: boolean }

const visitors = 24
const pause = 50 // milliseconds between two requests of a visitor
const timeoutMs = 60_000 // after which no response will come

// A request beyond a limit is 429 then; browsers are redirected, which would look like an acknowledged write.
const headers = { accept: 'application/json' }

/**
 * People who view their account, rename it and view it again, some who sign up, and one who listens, until `stop`. They
 * rename more often than people may, so their counts are deleted all the time, with a connection beside the fault.
 */
export async function startVisitors(url: string, inside: postgres.Sql) {
  const answers: Answer[] = []
  const writes: Write[] = []
  const heard: number[] = []
  const pending = new Set<{ at: number }>()
  const ended = new AbortController()
  let count = 0

  async function request(right: (answer: { status: number; location: string }) => boolean, send: () => Promise<Sent>) {
    const timing = { at: performance.now() }
    pending.add(timing)
    const nothing = { status: 0, headers: {} as Record<string, string> }
    const tooLate = sleep(timeoutMs, nothing, { ref: false })
    const { status, headers } = await Promise.race([send().catch(() => nothing), tooLate])
    const isRight = right({ status, location: String(headers.location ?? '') })
    pending.delete(timing)
    answers.push({ ...timing, until: performance.now(), status, isRight })
    return isRight
  }

  async function write(kind: Write['kind'], text: string, send: () => Promise<boolean>) {
    const write = { kind, text, at: performance.now(), isAcknowledged: false }
    writes.push(write)
    write.isAcknowledged = await send()
  }

  async function visit({ browser, slug }: Visitor) {
    while (!ended.signal.aborted) {
      await request(
        ({ status }) => status === 200,
        () => browser.send('GET', `/${slug}`),
      )
      const name = `Write ${++count}`
      await write('name', name, () =>
        request(
          ({ status, location }) => status === 302 && location === `/${slug}/settings`,
          () => browser.send('PATCH', `/${slug}/settings`, { body: { name }, headers }),
        ),
      )
      await sleep(pause)
    }
  }

  async function comeAnew() {
    for (let number = 1; !ended.signal.aborted; number++) {
      const browser = new Browser(url)
      const isOpen = await request(
        ({ status }) => status === 200,
        () => browser.send('GET', '/sign_in'),
      )
      const email = `visitor-${number}@example.com`
      const body = { name: 'Ada Lovelace', email, password, password_confirmation: password }
      if (isOpen)
        await write('person', email, () =>
          request(
            ({ status, location }) => status === 302 && location !== '/sign_up',
            () => browser.send('POST', '/sign_up', { body, from: newAddress() }),
          ),
        )
      await sleep(1000)
    }
  }

  async function deleteCounts() {
    while (!ended.signal.aborted) {
      await inside`delete from rate_limits where key like 'account_change:%'`.catch(() => {})
      await sleep(1000)
    }
  }

  /** Like a browser: reopens a stream that ended after a second. */
  async function listen({ browser, slug }: Visitor) {
    const identifier = JSON.stringify({ account: slug, channel: 'AccountChannel' })
    const address = `${url}/live?s=${encodeURIComponent(JSON.stringify([identifier]))}`
    while (!ended.signal.aborted) {
      const stream = await fetch(address, { headers: browser.head, signal: ended.signal }).catch(() => undefined)
      const pieces = stream?.ok && stream.body ? stream.body.pipeThrough(new TextDecoderStream()) : []
      try {
        for await (const piece of pieces) if (piece.includes('"account"}')) heard.push(performance.now())
      } catch {}
      await sleep(1000)
    }
  }

  const people: Visitor[] = []
  for (let number = 0; number < visitors; number++) people.push(await signUp(url, `regular-${number}@example.com`))
  const [first] = people
  const busy = [...people.map(visit), comeAnew(), deleteCounts(), ...(first ? [listen(first)] : [])]
  return {
    answers,
    writes,
    heard,
    /** The start of the oldest pending request. */
    waitingSince: () => Math.min(performance.now(), ...[...pending].map(({ at }) => at)),
    async stop() {
      ended.abort()
      await Promise.all(busy)
    },
  }
}

type Visitor = Awaited<ReturnType<typeof signUp>>
type Sent = { status: number; headers: Partial<Record<string, string | string[] | number>> }
export type Visitors = Awaited<ReturnType<typeof startVisitors>>
