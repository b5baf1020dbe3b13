import { type DnsAnswer, startDns as startServer } from '../../development/dns/index.ts'
import type { Owner } from './owner.ts'

export type { DnsAnswer } from '../../development/dns/index.ts'

/** A DNS server that says what a test wants of each name, and of others that there is none. */
export async function startDns(owner: Owner) {
  const answers = new Map<string, DnsAnswer>()
  const { server, stop } = await startServer((name) => answers.get(name))
  owner.teardown(stop)
  return { server, answers }
}
