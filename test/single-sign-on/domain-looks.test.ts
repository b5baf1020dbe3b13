import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import { startApp } from '../helpers/app.ts'
import type { DnsAnswer } from '../helpers/dns.ts'
import { mailsOf, recorded } from '../helpers/records.ts'
import { startSso } from '../helpers/single-sign-on.ts'

const { app, db, url, dns, company, clock } = await startSso(t)

/** A workspace with a verified domain, and what a day does to it. */
async function domainOf() {
  const { account, owner, path, domain } = await company()
  const name = `_accounts.${domain}`
  const honest = dns.answers.get(name)
  if (!honest) throw new Error('there is no record')
  const look = async (answer: DnsAnswer, hours = 24) => {
    dns.answers.set(name, answer)
    clock.forward({ hours })
    await app.jobs.run('look_at_domains')
  }
  const isVerified = async () => {
    const [row] = await db.select().from(ssoDomains).where(eq(ssoDomains.domain, domain))
    return row?.verifiedAt != null
  }
  return { account, owner, path, domain, honest, look, isVerified }
}

const gone: DnsAnswer = { code: 3 }
const failed: DnsAnswer = { code: 2 }

t.test('a domain whose record is gone on three days in a row is no longer verified', async (t) => {
  const { account, owner, path, domain, honest, look, isVerified } = await domainOf()
  await look(gone)
  await look({ texts: [['accounts-domain=another']] })
  t.ok(await isVerified())
  await look(gone)
  t.notOk(await isVerified())
  const lost = (await recorded(db)).filter(({ type, accountId }) => type === 'domain_lost' && accountId === account.id)
  t.match(lost, [{ actorId: null, ipAddress: null, details: { domain } }])
  t.equal((await mailsOf(db, owner.user.id)).filter((mail) => mail === 'domain_lost').length, 1)

  await look(honest)
  t.notOk(await isVerified(), 'an owner verifies it anew')
  const { id } = (await owner.browser.visit(`${path}/sso`)).props.domains[0]
  const page = await owner.browser.submit('POST', `${path}/sso/domains/${id}/verification`)
  t.same(page.flash, { notice: `${domain} is verified` })
  await look(gone)
  t.ok(await isVerified(), 'and has three days again')
})

t.test('a record that is found begins anew, and no answer neither counts nor begins anew', async (t) => {
  const { honest, look, isVerified } = await domainOf()
  for (const answer of [gone, gone, honest, gone, failed, gone, failed]) await look(answer)
  t.ok(await isVerified())
  await look(gone)
  t.notOk(await isVerified())
})

t.test('looks count 20 hours apart, in whichever process, each domain by itself', async (t) => {
  const { look, isVerified } = await domainOf()
  const other = await domainOf()
  const { app: later } = await another(t)
  await look(gone)
  for (let round = 0; round < 3; round++) {
    await look(gone, 0)
    await later.jobs.run('look_at_domains')
  }
  await look(gone, 19)
  t.ok(await isVerified(), 'one day')
  clock.forward({ hours: 24 })
  await Promise.all([app, later, app, later].map(({ jobs }) => jobs.run('look_at_domains')))
  t.ok(await isVerified(), 'two days')
  await look(gone)
  t.notOk(await isVerified())
  t.ok(await other.isVerified())
})

t.test('domains whose servers do not answer come last, so that they keep no other from being looked at', async (t) => {
  const acme = await domainOf()
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000)
  const values = Array.from({ length: 30 }, (_, index) => {
    const domain = `silent-${index}.test`
    dns.answers.set(`_accounts.${domain}`, failed)
    return { accountId: acme.account.id, domain, record: domain, verifiedAt: daysAgo(9), lookedAt: daysAgo(3) }
  })
  await db.insert(ssoDomains).values(values)
  const later = await domainOf()
  const asked: string[] = []
  const answer = (name: string) => {
    asked.push(name)
    return Map.prototype.get.call(dns.answers, name)
  }
  Object.defineProperty(dns.answers, 'get', { configurable: true, value: answer })
  t.teardown(() => Reflect.deleteProperty(dns.answers, 'get'))
  await later.look(later.honest)
  const turn = asked.indexOf(`_accounts.${later.domain}`)
  t.ok(turn >= 0 && new Set(asked.slice(0, turn)).size < 20, 'among the first that are looked at side by side')
})

/** Another process, on the same database and by the same clock. */
const another = (t: Test) =>
  startApp(t, { DATABASE_URL: url, DNS_SERVERS: dns.server, SSO_PRIVATE_ISSUERS: 'allow' }, { now: clock.now })
