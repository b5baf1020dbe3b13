import type { ServerResponse } from 'node:http'
import { mock } from 'node:test'
import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { ssoConnections } from '../../drizzle/tables/single-sign-on.ts'
import { createClients } from '../../features/single-sign-on/connections.ts'
import { keyRing } from '../../plugins/security/keys.ts'
import { createSealing } from '../../plugins/security/sealing.ts'
import { settings, startApp } from '../helpers/app.ts'
import { challenge, openGuest, password, verifiedUp } from '../helpers/people.ts'
import { forgetMails } from '../helpers/records.ts'
import { startSso, userWith } from '../helpers/single-sign-on.ts'
import { startSmtp } from '../helpers/smtp.ts'

const smtp = await startSmtp(t)
const demo = 'demo@shown.test'
const environment = { ...smtp.environment, DEMO_ADMIN_EMAIL: demo, DEMO_ADMIN_PASSWORD: password }
const { app, db, dns, url, company, personAt, proveDomain, connection } = await startSso(t, environment)

/** Another process, on the same database. */
const another = async (t: Test, environment: Record<string, string>) =>
  (await startApp(t, { DATABASE_URL: url, DNS_SERVERS: dns.server, SSO_PRIVATE_ISSUERS: 'allow', ...environment })).app

const connectionIn = async (accountId: number) => {
  const [row] = await db.select().from(ssoConnections).where(eq(ssoConnections.accountId, accountId))
  if (!row) throw new Error('there is no connection')
  return row
}

/** Starts at providers of a process, each for a connection of its own. Returns how often they were discovered. */
async function startDiscovering() {
  const { account } = await company()
  const row = await connectionIn(account.id)
  const discoveries: string[] = []
  const issuer = 'https://login.example.com'
  const metadata = { issuer, authorization_endpoint: `${issuer}/authorize`, jwks_uri: `${issuer}/keys` }
  const fetch = async (url: unknown) => {
    discoveries.push(String(url))
    return Response.json(metadata)
  }
  const clients = createClients({ sealing: app.sealing, origin: 'http://localhost:3000', fetch })
  const begin = async (id: number) => {
    await clients({ account, connection: { ...row, id, issuer } }).begin({ state: '1', nonce: '2', verifier: '3' })
    return discoveries.length
  }
  return begin
}

t.test('what 200 providers said of themselves is kept, and that of the least recently used goes', async (t) => {
  const begin = await startDiscovering()
  for (let id = 1; id <= 200; id++) await begin(id)
  t.equal(await begin(1), 200, 'which is used again')
  t.equal(await begin(201), 201)
  t.equal(await begin(1), 201)
  t.equal(await begin(2), 202)
})

t.test('what a provider said of itself is kept for an hour, used or not', async (t) => {
  const begin = await startDiscovering()
  let later = 0
  const now = performance.now.bind(performance)
  const mocked = mock.method(performance, 'now', () => now() + later)
  t.teardown(() => mocked.mock.restore())
  t.equal(await begin(1), 1)
  later = 3_500_000
  t.equal(await begin(1), 1)
  later = 3_600_000
  t.equal(await begin(1), 2)
})

t.test('a changed secret counts at once in every process', async (t) => {
  const { owner, path, visit, employee } = await company()
  const other = await another(t, {})
  const secretsSent: string[] = []
  const instead = {
    '/token'(response: ServerResponse) {
      const [, credentials = ''] = response.req.headers.authorization?.split(' ') ?? []
      secretsSent.push(Buffer.from(credentials, 'base64').toString().split(':')[1] ?? '')
      response.writeHead(503).end()
    },
  }
  const visitBoth = async () => {
    for (const process of [app, other])
      await visit(employee(), { browser: await openGuest(process), lies: { instead } })
    return secretsSent.splice(0)
  }
  const { client_secret } = connection()
  const encoded = encodeURIComponent(client_secret).replaceAll('%20', '+')
  t.same(await visitBoth(), [encoded, encoded])
  await owner.browser.submit('PATCH', `${path}/sso`, { ...connection(), client_secret: 'new', ...challenge })
  t.same(secretsSent.splice(0), ['new'], 'which is tried before it is saved')
  t.same(await visitBoth(), ['new', 'new'])
})

t.test('a secret is sealed anew when it is used after the key changed', async (t) => {
  const { account, visit, employee } = await company()
  const before = (await connectionIn(account.id)).secret
  const key = 'a new key of 64 characters or more, which takes the place of the old key'
  const keys = { SECRET_KEY_BASE: key, SECRET_KEY_BASE_PREVIOUS: settings.SECRET_KEY_BASE }
  const newer = await another(t, keys)
  t.equal((await visit(employee(), { browser: await openGuest(newer) })).page.component, 'accounts/show')
  const { secret } = await connectionIn(account.id)
  t.not(secret, before)
  const { open } = createSealing(keyRing(key)('sealing'))
  t.equal(open(secret, `sso ${account.id}`), connection().client_secret)
})

t.test('where sign-up is by invitation only, single sign-on lets people sign up', async (t) => {
  const { account, visit, employee } = await company()
  const invitationOnly = await another(t, { SIGN_UP: 'invitation_only' })
  const bo = employee()
  const { page } = await visit(bo, { browser: await openGuest(invitationOnly) })
  t.match(page, { component: 'accounts/show', url: `/${account.slug}` })
  t.ok(await userWith(db, bo.email))
})

t.test('the demo user connects nothing', async (t) => {
  const { owner, slug, visit } = await company()
  await proveDomain(owner, slug, 'shown.test')
  const { browser } = await verifiedUp(app, { email: demo })
  const { page } = await visit({ sub: 'demo', email: demo }, { browser })
  t.same(page.flash, { alert: 'The demo user connects nothing' })
})

t.test('the mails say what happened: connected, disconnected, and a domain that moved', async (t) => {
  await forgetMails(db)
  await app.jobs.startWorkers()
  const { account, visit, employee } = await company()
  const bo = employee()
  const mailTo = async (recipient: string, subject: string) => {
    const mail = await smtp.next(subject)
    t.equal(mail.recipient, recipient)
    return mail.text
  }
  const { browser } = await visit(bo)
  t.match(await mailTo(bo.email, 'Single sign-on was connected'), `the single sign-on of ${account.name} signs you in`)
  const [{ id }] = (await browser.visit('/settings/security')).props.sso
  await browser.submit('DELETE', `/settings/sso/${id}`, challenge)
  t.match(await mailTo(bo.email, 'Single sign-on was disconnected'), `The single sign-on of ${account.name} no longer`)

  const losing = await personAt('moved.test')
  await proveDomain(losing, losing.slug, 'moved.test')
  const gaining = await personAt('elsewhere.test')
  await proveDomain(gaining, gaining.slug, 'moved.test')
  const text = await mailTo(losing.person.email, 'moved.test is no longer yours')
  t.match(text, 'another workspace has proved the domain')
  t.match(text, 'If the domain is still yours, add the record again and verify it.')
  t.match(text, `http://localhost:3000/${losing.slug}/sso`)
})

t.test('every change of domains, provider and requirement is mailed to the other owners', async (t) => {
  await app.jobs.startWorkers()
  const { account, owner, path, domain, require, join } = await company()
  const { person: other } = await join('owner', 'agency.test')
  await join('admin', 'agency.test')
  const next = async () => {
    const mail = await smtp.next(`Single sign-on of ${account.name} was changed`)
    t.equal(mail.recipient, other.email)
    t.match(mail.text, `http://localhost:3000${path}/sso`)
    return mail.text
  }
  const { name } = owner.user
  const send = (method: 'PATCH' | 'DELETE', url: string, body = {}) =>
    owner.browser.submit(method, `${path}/sso${url}`, { ...body, ...challenge })
  await proveDomain(owner, path.slice(1), 'second.test')
  t.match(await next(), `${name} verified second.test for ${account.name}.`)
  await send('PATCH', '', connection())
  t.match(await next(), `${name} changed the provider of ${account.name}.`)
  await require()
  t.match(await next(), `${name} requires single sign-on in ${account.name} now.`)
  await send('PATCH', '/requirement', { required: false })
  t.match(await next(), `${name} no longer requires single sign-on in ${account.name}.`)
  const [{ id }] = (await owner.browser.visit(`${path}/sso`)).props.domains
  await send('DELETE', `/domains/${id}`)
  t.match(await next(), `${name} removed ${domain} from ${account.name}.`)
  await send('DELETE', '')
  t.match(await next(), `${name} removed the provider of ${account.name}.`)
})
