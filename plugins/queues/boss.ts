import { fromBunSql } from 'pg-boss'
import { type Address, type Deadlines, deadlines as defaults, openClient, poolTimeout } from '../database/index.ts'
import { Semaphore } from '../semaphore.ts'

export type Listen = ReturnType<typeof openClient>['listen']
type Options = { listen?: Listen | undefined; deadlines?: Partial<Deadlines> | undefined }

const connections = 2

/**
 * The database connections of pg-boss: two of the same driver as everywhere else, so they share its address, deadlines
 * and patches. Pg-boss does not support postgres.js, but Bun's client, which has the same interface. Each connection is
 * a client of its own and runs one thing at a time, since pg-boss sends scripts with their own begin and commit.
 */
export function openBossDatabase(
  address: Address,
  { listen, deadlines = { statement: 60, answer: 75 } }: Options = {},
) {
  const clients = Array.from({ length: connections }, () => open(address, deadlines))
  const idle = [...clients]
  const semaphore = new Semaphore(connections, defaults.wait * 1000, poolTimeout)
  const run = (text: string, values: unknown[]) =>
    semaphore.run(async () => {
      const client = idle.pop() as (typeof clients)[number]
      try {
        return await client.unsafe(text, values.map(orNull))
      } catch (error) {
        if (beginsTransaction.test(text)) await client.unsafe('rollback').catch(() => {})
        throw error
      } finally {
        idle.push(client)
      }
    })

  const adapter = fromBunSql({
    unsafe: (text, values = []) => run(text, values),
    reserve: async () => ({ unsafe: (text, values = []) => run(text, values), release() {} }),
    listen: listen ?? (clients[0] as (typeof clients)[number]).listen,
  })
  return Object.assign(adapter, { end: () => Promise.all(clients.map((client) => client.end({ timeout: 5 }))) })
}

const beginsTransaction = /^\s*begin\b/i

function open(address: Address, deadlines: Partial<Deadlines>) {
  const client = openClient(address, { pool: 1, name: 'accounts queue', deadlines })
  const { serializers } = client.options
  // Pg-boss serializes JSON and times itself.
  for (const type of [114, 3802, 1082, 1114, 1184]) serializers[type] = asText
  return client
}

const orNull = (value: unknown) => (value === undefined ? null : (value as string))

function asText(value: unknown) {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}
