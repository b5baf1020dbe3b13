import { Resolver } from 'node:dns/promises'

const totalMs = 5_000
const firstTryMs = 2_000

export type DnsAnswer = 'there' | 'absent' | 'unanswered'

/**
 * Whether a name has a TXT record with this value, as its servers say now. Only "no such name", "no such record" and
 * other values mean that it is absent; a server that fails or is silent for five seconds says nothing.
 */
export async function findTxtRecord(servers: string[], name: string, value: string): Promise<DnsAnswer> {
  const resolver = new Resolver({ timeout: firstTryMs, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), totalMs)
  try {
    const records = await resolver.resolveTxt(name)
    return records.some((parts) => parts.join('') === value) ? 'there' : 'absent'
  } catch (error) {
    const { code } = error as { code?: string }
    return code === 'ENOTFOUND' || code === 'ENODATA' ? 'absent' : 'unanswered'
  } finally {
    clearTimeout(timer)
  }
}
