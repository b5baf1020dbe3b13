import t, { type Test } from 'tap'
import { ssoConnections } from '../../drizzle/tables/single-sign-on.ts'
import { BadConfig, loadConfig } from '../../server/config.ts'
import { settings } from '../helpers/app.ts'
import { runCommand } from '../helpers/commands.ts'
import { startSso } from '../helpers/single-sign-on.ts'

t.test('the provider of a workspace is asked, and a secret that cannot be read is said', async (t) => {
  const { company, url, db, issuer } = await startSso(t)
  const { slug, domain } = await company()
  const { SECRET_KEY_BASE } = settings
  const environment = { DATABASE_URL: url, SECRET_KEY_BASE, SSO_PRIVATE_ISSUERS: 'allow' }
  const callback = `http://localhost:3000/sign_in/sso/${slug}/callback`
  const line = `accepts the client ID and secret; register ${callback} as redirect URI; verified domains: ${domain}`
  t.match(await runCommand('check', environment, 'sso', slug), { code: 0, out: `ok      sso: ${line}\n` })
  issuer.state.instead = { '/token': (response) => response.writeHead(503).end() }
  const gone = { code: 1, out: 'FAILED  sso: it cannot be reached (it_answers_503)\n' }
  t.match(await runCommand('check', environment, 'sso', slug), gone)
  await db.update(ssoConnections).set({ secret: 'x' })
  const unreadable = { code: 1, out: 'FAILED  sso: it says secret_unreadable\n' }
  t.match(await runCommand('check', environment, 'sso', slug), unreadable)
  const nothing = { code: 1, out: 'FAILED  sso: there is no such workspace, or it has no provider\n' }
  t.match(await runCommand('check', environment, 'sso', 'nothing'), nothing)
  t.match(await runCommand('check', environment, 'sso'), { code: 2 })
})

function refuses(t: Test, name: string, values: string[]) {
  for (const value of values) t.throws(() => loadConfig({ [name]: value }), BadConfig, `${name}=${value}`)
}

t.test('single sign-on is on for a day, asks the servers of the system, and no private issuers', async (t) => {
  t.same(loadConfig({}).singleSignOn, { maxMs: 86_400_000, allowPrivateIssuers: false, dnsServers: [] })
  const servers = '192.0.2.53, 192.0.2.54:5353,[2001:db8::53]:53,2001:db8::54'
  const given = loadConfig({ SSO_MAX: '90s', SSO_PRIVATE_ISSUERS: 'allow', DNS_SERVERS: servers }).singleSignOn
  t.same(given, { maxMs: 90_000, allowPrivateIssuers: true, dnsServers: servers.split(/, ?/) })
  t.equal(loadConfig({ SSO: 'off' }).singleSignOn, undefined)
  refuses(t, 'SSO', ['yes'])
  refuses(t, 'SSO_MAX', ['1', '0h', 'a day'])
  refuses(t, 'SSO_PRIVATE_ISSUERS', ['on'])
  refuses(t, 'DNS_SERVERS', [
    'dns.example.com',
    '192.0.2.53:',
    '192.0.2.53;192.0.2.54',
    '999.0.2.53',
    '192.0.2.53:65536',
    ',',
    ...['1.1.1.1:0', '[2001:db8::53]:0', '2001:db8::53:5353', '192.0.2.1,2001:db8::1:53'],
  ])
  const bare = '2620:fe::fe:9,2606:4700:4700::1111,2001:db8::53,2001:db8:0:0:0:0:5:53,[2001:db8::53:5353]'
  t.equal(loadConfig({ DNS_SERVERS: bare }).singleSignOn?.dnsServers.length, 5)
})
