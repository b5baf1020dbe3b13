import { and, eq } from 'drizzle-orm'
import type { Test } from 'tap'
import { accounts, memberships, type Role, users } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import type { Database } from '../../plugins/database/index.ts'
import { startApp } from './app.ts'
import type { Browser } from './browser.ts'
import { startDns } from './dns.ts'
import { client, type Lies, type Person, startIssuer } from './issuer.ts'
import { addMember, openGuest, verifiedUp } from './people.ts'

type Given = Parameters<typeof startApp>[2]

/** The application with a DNS server and a provider of its own. */
export async function startSso(t: Test, environment: Record<string, string> = {}, given: Given = {}) {
  const [dns, issuer] = await Promise.all([startDns(t), startIssuer(t)])
  const started = await startApp(t, { DNS_SERVERS: dns.server, SSO_PRIVATE_ISSUERS: 'allow', ...environment }, given)
  const { app, db } = started
  let count = 0

  /** A verified person whose address is at this domain. */
  const personAt = (domain: string) => verifiedUp(app, { email: `person-${++count}@${domain}` })

  /** The record of a domain as the page shows it, published. */
  function publish(domains: { domain: string; record: { name: string; value: string } }[], domain: string) {
    const record = domains.find((each) => each.domain === domain)?.record
    if (!record) throw new Error(`${domain} was not added`)
    dns.answers.set(record.name, { texts: [[record.value]] })
  }

  async function proveDomain({ browser }: { browser: Browser }, slug: string, domain: string) {
    const { props } = await browser.submit('POST', `/${slug}/sso/domains`, { domain })
    publish(props.domains, domain)
    const id = props.domains.find((each: { domain: string }) => each.domain === domain).id
    return browser.submit('POST', `/${slug}/sso/domains/${id}/verification`)
  }

  async function membershipIn(accountId: number, userId: number) {
    const isIn = and(eq(memberships.accountId, accountId), eq(memberships.userId, userId))
    return (await db.select().from(memberships).where(isIn))[0]
  }

  const connection = (url = issuer.url) => ({ issuer: url, client_id: client.id, client_secret: client.secret })

  /** A workspace with a domain and a connected provider, as an owner leaves them, whose address is there. */
  async function company(provider = issuer) {
    const domain = `acme-${++count}.test`
    const owner = await personAt(domain)
    const page = await owner.browser.submit('POST', '/accounts', { name: `Acme ${count}` })
    const slug: string = page.props.account.slug
    const [account] = await db.select().from(accounts).where(eq(accounts.slug, slug))
    if (!account) throw new Error('there is no workspace')
    const added = { accountId: account.id, creatorId: owner.user.id, createdAt: app.now() }
    const record = `record-of-${count}`
    await db.insert(ssoDomains).values({ ...added, domain, record, verifiedAt: app.now() })
    dns.answers.set(`_accounts.${domain}`, { texts: [[`accounts-domain=${record}`]] })
    const secret = app.sealing.seal(client.secret, `sso ${account.id}`)
    await db.insert(ssoConnections).values({ ...added, issuer: provider.url, clientId: client.id, secret })
    const at = `/sign_in/sso/${slug}`

    type Visit = { body?: object; lies?: Lies }
    /** Goes to the provider, as a guest unless a browser is given, and comes back as this person. */
    const visit = (person: Person, { browser, ...more }: Visit & { browser?: Browser } = {}) => {
      const opened = browser ? Promise.resolve(browser) : openGuest(app)
      return opened.then(async (used) => ({
        browser: used,
        ...(await provider.visit(used, { email_verified: true, ...person }, { ...more, button: at })),
      }))
    }
    const employee = (more: Person = {}): Person & { sub: string; email: string; name: string } => {
      const name = `Bo ${++count}`
      return { sub: `subject-${count}`, email: `bo-${count}@${domain}`, name, ...more }
    }
    /** What the provider says of the owner. */
    const ownerThere = { sub: `owner-${count}`, email: owner.person.email }
    /** The owner signs in with it and requires it. */
    const require = async () => {
      await visit(ownerThere, { browser: owner.browser })
      const page = await owner.browser.submit('PATCH', `/${slug}/sso/requirement`, { required: true })
      if (page.flash?.notice !== 'Single sign-on is now required')
        throw new Error(`not required: ${JSON.stringify(page)}`)
    }
    /** Adds a verified person, at its domain unless another one is given. */
    const join = async (role: Role = 'member', at = domain) => addMember(db, account.id, await personAt(at), role)
    return { domain, owner, ownerThere, slug, path: `/${slug}`, at, account, visit, employee, require, join }
  }

  return { ...started, dns, issuer, personAt, publish, proveDomain, membershipIn, connection, company }
}

export const userWith = async (db: Database, email: string) =>
  (await db.select().from(users).where(eq(users.email, email)))[0]
