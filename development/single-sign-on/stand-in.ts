import { like } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import { recordOf } from '../../features/single-sign-on/domain-names.ts'
import type { Config } from '../../server/config.ts'
import { startDns } from '../dns/index.ts'
import { isAtHome, type Person, providerPages } from '../provider/index.ts'

export const people: Person[] = ['Olga Owner', 'Nora New', 'Otto Old'].map((name) => {
  const sub = name.split(' ')[0]?.toLowerCase() ?? ''
  return { sub, name, email: `${sub}@acme.test`, email_verified: true }
})

/**
 * What an owner needs to try single sign-on: the provider of a company at /dev/company, and, without DNS_SERVERS, a DNS
 * server with the records of all domains below `.test`, which nobody can own (RFC 6761).
 */
export async function startStandIn(loaded: Config) {
  const { origin, singleSignOn } = loaded
  if (!singleSignOn || !isAtHome(loaded)) return undefined
  const { dnsServers } = singleSignOn
  let app: FastifyInstance | undefined
  const client = { id: 'accounts', secret: 'accounts', redirectUri: `${origin}/sign_in/sso/:slug/callback` }
  const pages = providerPages(`${origin}/dev/company`, client, people)
  const dns = dnsServers.length > 0 ? undefined : await startDns(recordsAt)

  async function recordsAt(name: string) {
    const domains = (await app?.db.select().from(ssoDomains).where(like(ssoDomains.domain, '%.test'))) ?? []
    const records = domains.map(recordOf).filter((record) => record.name === name)
    return records.length > 0 ? { texts: records.map(({ value }) => [value]) } : undefined
  }

  return {
    config: {
      singleSignOn: { ...singleSignOn, allowPrivateIssuers: true, dnsServers: dns ? [dns.server] : dnsServers },
    },
    async register(registered: FastifyInstance) {
      app = registered
      await app.register(pages)
      app.addHook('onClose', async () => dns?.stop())
    },
  }
}
