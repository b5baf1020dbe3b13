import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Address } from './address.ts'

type Subscription = [channel: string, onPayload: (payload: string) => void, onListening?: () => void]
type Notify = (channel: string, payload: string) => Promise<unknown>

const arrivalMs = 3_000

export type Listener = ReturnType<typeof createListener>

/**
 * The one connection of this process that listens. When it is lost, postgres.js connects and listens again by itself,
 * and `onListening` is called once more. It does not notice a connection that went silent: `watch` does.
 */
export function createListener(address: Address) {
  const subscriptions: Subscription[] = []
  let sql = open(address)
  let isClosed = false

  /** Begins anew with another connection. */
  async function restart() {
    if (isClosed) return
    const old = sql
    sql = open(address)
    await Promise.allSettled([old.end({ timeout: 0 }), ...subscriptions.map((each) => sql.listen(...each))])
  }

  return {
    async listen(...subscription: Subscription) {
      subscriptions.push(subscription)
      await sql.listen(...subscription)
    },
    /**
     * Returns a function that sends a notification and restarts if it does not arrive. Only one that the server
     * acknowledged counts, so a database that is away or busy disconnects nobody.
     */
    watch(notify: Notify) {
      const channel = `ping_${randomBytes(6).toString('hex')}`
      let listening: Promise<unknown> | undefined
      let [sent, received] = [0, 0]
      return async () => {
        listening ??= this.listen(
          channel,
          (payload) => (received = Number(payload)),
          () => (received = sent),
        )
        await listening
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
