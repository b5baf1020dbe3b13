import { Resolver } from 'node:dns/promises'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import { recordOf } from './domain-names.ts'

export function lookUp({ site }: FastifyInstance, row: Parameters<typeof recordOf>[0]) {
  const { name, value } = recordOf(row)
  return findTxtRecord(site.singleSignOn?.dnsServers ?? [], name, value)
}

/** Whether the record of a verified domain is still there. Without an answer, it counts as there. */
export async function isStillVerified(app: FastifyInstance, accountId: number, domain: string) {
  const isIt = and(eq(ssoDomains.accountId, accountId), eq(ssoDomains.domain, domain), isNotNull(ssoDomains.verifiedAt))
  const [row] = await app.db.select().from(ssoDomains).where(isIt)
  return row !== undefined && (await lookUp(app, row)).answer !== 'absent'
}

const totalMs = 5_000
const firstTryMs = 2_000
const maxShownChars = 100

const beginningOf = (value: string) => value.slice(0, value.indexOf('=') + 1)

/** `other` is a value that is there instead, if any. */
export type DnsAnswer = { answer: 'there' | 'unanswered' } | { answer: 'absent'; other: string | null }

/**
 * Whether a name has a TXT record with this value, as its servers say now. Only "no such name", "no such record" and
 * other values mean that it is absent; a server that fails or is silent for five seconds says nothing.
 */
export async function findTxtRecord(servers: string[], name: string, value: string): Promise<DnsAnswer> {
  const resolver = new Resolver({ timeout: firstTryMs, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), totalMs)
  try {
    const values = (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    if (values.includes(value)) return { answer: 'there' }
    const ours = values.find((each) => each.startsWith(beginningOf(value)))
    return { answer: 'absent', other: (ours ?? values[0])?.slice(0, maxShownChars) ?? null }
  } catch (error) {
    const { code } = error as { code?: string }
    return code === 'ENOTFOUND' || code === 'ENODATA' ? { answer: 'absent', other: null } : { answer: 'unanswered' }
  } finally {
    clearTimeout(timer)
  }
}
