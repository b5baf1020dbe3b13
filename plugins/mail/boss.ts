import { fromBunSql } from 'pg-boss'
import { type Address, type Deadlines, openClient } from '../database/index.ts'

type Client = ReturnType<typeof openClient>
export type Listen = Client['listen']
type Options = { listen?: Listen | undefined; deadlines?: Partial<Deadlines> | undefined }

/**
 * The database connections of pg-boss: two of the same driver as everywhere else, so they share its address, deadlines
 * and patches. Pg-boss does not support postgres.js, but Bun's client, which has the same interface.
 */
export function openBossDatabase(address: Address, { listen, deadlines }: Options = {}) {
  const client = openClient(address, {
    pool: 2,
    name: 'accounts queue',
    deadlines: deadlines ?? { statement: 60, answer: 75 },
  })
  const { serializers } = client.options
  // Pg-boss serializes JSON and times itself.
  for (const type of [114, 3802, 1082, 1114, 1184]) serializers[type] = asText

  const adapter = fromBunSql({
    unsafe: async (text, values = []) => client.unsafe(text, values.map(orNull)),
    reserve: () => reserve(client),
    listen: listen ?? client.listen,
  })
  return Object.assign(adapter, { end: () => client.end({ timeout: 5 }) })
}

const orNull = (value: unknown) => (value === undefined ? null : (value as string))

function asText(value: unknown) {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * For scripts with their own begin and commit: if one fails in between, roll back, or the connection would return to
 * the pool inside a transaction.
 */
async function reserve(client: Client) {
  const reserved = await client.reserve()
  return {
    async unsafe(text: string) {
      try {
        return await reserved.unsafe(text)
      } catch (error) {
        await reserved.unsafe('rollback').catch(() => {})
        throw error
      }
    },
    release: () => reserved.release(),
  }
}
