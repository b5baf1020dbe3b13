import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Address } from './address.ts'

type Subscription = [channel: string, onPayload: (payload: string) => void, onListening?: () => void]
type Notify = (channel: string, payload: string) => Promise<unknown>

const answerMs = 5_000
const arrivalMs = 3_000

export type Listener = ReturnType<typeof createListener>

/** postgres.js listens again by itself, but does not notice a connection that went silent: `watch` does. */
export function createListener(address: Address) {
  const subscriptions = new Map<string, Subscription>()
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

  return {
    listen,
    /** Restarts if a notification does not arrive. An unacknowledged one does not count, as of a busy database. */
    watch(notify: Notify) {
      const channel = `ping_${randomBytes(6).toString('hex')}`
      let [sent, received] = [0, 0]
      const hear = (payload: string) => {
        received = Number(payload)
      }
      const startAnew = () => {
        received = sent
      }
      return async () => {
        if (!subscriptions.has(channel)) listen(channel, hear, startAnew).catch(() => {})
        const number = ++sent
        await notify(channel, String(number))
        await sleep(arrivalMs, undefined, { ref: false })
        if (received < number) await restart()
      }
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
    host,
    port,
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ssl,
    connection: { application_name: 'accounts listener', ...(options && { options }) },
    max: 1,
    fetch_types: false,
    prepare: false,
    connect_timeout: 5,
    keep_alive: 10,
    backoff: (tries) => Math.min(tries / 10, 1), // seconds; by default, the driver waits up to 20 before it tries again
    onnotice() {},
  })
