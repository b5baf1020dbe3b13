import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from './address.ts'
import { openClient } from './client.ts'
import { DatabaseUnusable } from './wait.ts'

const timeoutMs = 3000 // one is usual

/** Throws DatabaseUnusable if notifications do not arrive, which is what happens behind a transaction pooler. */
export async function requireListening(address: Address) {
  const client = openClient(address, { pool: 1 })
  try {
    const channel = `probe_${randomBytes(6).toString('hex')}`
    const received = Promise.withResolvers<boolean>()
    await client.listen(channel, () => received.resolve(true))
    await client.notify(channel, '')
    if (await Promise.race([received.promise, sleep(timeoutMs, false, { ref: false })])) return
  } finally {
    await client.end({ timeout: 1 })
  }
  throw new DatabaseUnusable(
    `Notifications do not arrive over ${address.variable}, which looks like a transaction pooler: ` +
      'set DATABASE_DIRECT_URL to the address of the database itself',
  )
}
