import { X509Certificate } from 'node:crypto'
import { type Address, readAddress, UnreadableAddress } from '../plugins/database/index.ts'
import type { QueueProfile } from '../plugins/queues/settings.ts'

const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'QUEUE_URL'] as const
type Name = (typeof names)[number]
type Given = Partial<Record<Name | 'DATABASE_CA', string | undefined>>

type Limits = { DATABASE_POOL: string; DATABASE_WAIT: string; QUEUE_PROFILE: string }

/**
 * One database with up to three addresses: a pooled one, a direct one for sessions that must keep their connection, and
 * the queue's.
 */
export function databasesOf(given: Given & Limits) {
  const { DATABASE_URL, DATABASE_DIRECT_URL, QUEUE_URL } = given
  const address = addressIn('DATABASE_URL', given) ?? readAddress('postgres://localhost', { variable: 'DATABASE_URL' })
  const direct = addressIn('DATABASE_DIRECT_URL', given) ?? address
  const other = [DATABASE_URL, DATABASE_DIRECT_URL].includes(QUEUE_URL) ? undefined : addressIn('QUEUE_URL', given)
  return {
    database: {
      isGiven: DATABASE_URL !== undefined,
      address,
      direct,
      pool: Number(given.DATABASE_POOL),
      wait: Number.parseInt(given.DATABASE_WAIT, 10),
    },
    queue: {
      address: other ?? direct,
      beside: other === undefined,
      profile: given.QUEUE_PROFILE as QueueProfile, // the configuration checks it
    },
  }
}

/** One line for each address that cannot be parsed. Never contains a value. */
export const unreadableIn = (given: Given) =>
  names.flatMap((name) => {
    try {
      addressIn(name, given)
      return []
    } catch (error) {
      if (error instanceof UnreadableAddress) return [`${name} ${error.message}`]
      throw error
    }
  })

function addressIn(name: Name, given: Given): Address | undefined {
  const text = given[name]
  if (!text) return undefined
  const { DATABASE_DIRECT_URL = text, DATABASE_CA } = given
  const pooled = name === 'DATABASE_URL' && DATABASE_DIRECT_URL !== text
  return readAddress(text, { variable: name, certificate: DATABASE_CA && linesOf(DATABASE_CA), pooled })
}

// Where variables are limited to a single line, line breaks are often written as \n.
const linesOf = (text: string) => text.replaceAll('\\n', '\n')

export function isCertificate(text: string) {
  try {
    return new X509Certificate(linesOf(text)).subject !== undefined
  } catch {
    return false
  }
}
