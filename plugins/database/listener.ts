import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Address } from './address.ts'

type Subscription = [channel: string, onPayload: (payload: string) => void, onListening?: () => void]
type Notify = (channel: string) => Promise<unknown>

const answerMs = 5_000
const pingMs = 3_000

export type Listener = ReturnType<typeof createListener>

/** postgres.js listens again by itself, but does not notice a connection that went silent: `check` does. */
export function createListener(address: Address) {
  const subscriptions = new Map<string, Subscription>()
  const pings = `ping_${randomBytes(6).toString('hex')}`
  let heard = Promise.withResolvers<boolean>()
  let sql = open(address)
  let isClosed = false

  async function restart() {
    if (isClosed) return
    sql.end({ timeout: 0 }).catch(() => {})
    sql = open(address)
    await inTime(Promise.all(Array.from(subscriptions.values(), (each) => sql.listen(...each))))
  }

  async function listen(...subscription: Subscription) {
    subscriptions.set(subscription[0], subscription)
    await inTime(sql.listen(...subscription)).catch(restart)
  }

  /** Whether a notification arrives. Rejects if it was not acknowledged, as by a busy database. */
  async function hears(notify: Notify) {
    const onPing = () => heard.resolve(true)
    if (!subscriptions.has(pings)) await listen(pings, onPing, onPing)
    heard = Promise.withResolvers()
    await notify(pings)
    return Promise.race([heard.promise, sleep(pingMs, false, { ref: false })])
  }

  return {
    listen,
    hears,
    /** Connects anew if a notification does not arrive. */
    async check(notify: Notify) {
      if (!(await hears(notify))) await restart()
    },
    close() {
      isClosed = true
      return sql.end({ timeout: 1 })
    },
  }
}

/** On a connection that went silent, a query would wait for ever. */
const inTime = (listening: Promise<unknown>) =>
  Promise.race([
    listening,
    sleep(answerMs, undefined, { ref: false }).then(() => Promise.reject(new Error('LISTEN got no answer'))),
  ])

const open = ({ host, port, user, password, database, ssl, options }: Address) =>
  postgres({
    ...{ host, port, user, password, database, ssl },
    connection: { application_name: 'accounts listener', options },
    max: 1,
    fetch_types: false,
    prepare: false,
    connect_timeout: 5,
    keep_alive: 10,
    backoff: (tries) => Math.min(tries / 10, 1), // seconds; by default, the driver waits up to 20 before it tries again
    onnotice() {},
  })
