import { fromBunSql } from 'pg-boss'
import { type Address, type Deadlines, openClient } from '../database/index.ts'

type Client = ReturnType<typeof openClient>
export type Listen = Client['listen']
type Options = { listen?: Listen | undefined; deadlines?: Partial<Deadlines> | undefined }

/**
 * What pg-boss runs on: two connections of the driver of everything else, so that one address, one set of deadlines and one mended driver serve all. Pg-boss
 * knows no postgres.js, but Bun's client, which has its interface.
 */
export function openBossDatabase(address: Address, { listen, deadlines }: Options = {}) {
  const client = openClient(address, {
    pool: 2,
    name: 'accounts queue',
    deadlines: deadlines ?? { statement: 60, answer: 75 },
  })
  const { serializers } = client.options
  // Pg-boss writes JSON and times as texts already.
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

/** For scripts that begin and commit by themselves: when one fails in between, its connection must not go back with the transaction. */
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
