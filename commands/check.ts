import { pendingMigrations } from '../drizzle/migrate.ts'
import { providerClient } from '../features/providers/clients/index.ts'
import { providersPaths } from '../features/providers/paths.ts'
import { createClients } from '../features/single-sign-on/clients.ts'
import { connectionAt } from '../features/single-sign-on/connections.ts'
import { domainsOf } from '../features/single-sign-on/domains.ts'
import { singleSignOnPaths } from '../features/single-sign-on/paths.ts'
import {
  type Address,
  connect,
  describeErrors,
  requireListening,
  requireSchema,
  waitForDatabase,
  withClient,
} from '../plugins/database/index.ts'
import { guardedFetch } from '../plugins/http/guarded-fetch.ts'
import { mailDestination, transportTo } from '../plugins/mail/index.ts'
import { InvalidResponse, ProviderUnavailable } from '../plugins/openid/failures.ts'
import { keyRing } from '../plugins/security/keys.ts'
import { createSealing } from '../plugins/security/sealing.ts'
import type { Config } from '../server/config.ts'
import { onShutdown } from '../server/shutdown.ts'
import { command, configured, done, notPossible, Usage } from './command.ts'

const usage = `Usage:
  npm run check                 configuration, database, role, clock, pooler, queue, mail server and providers: a line each
  npm run check -- sso SLUG     the provider of a workspace`

const maxClockSkewSeconds = 5
const now = { seconds: 0, log() {} }
const readOnly = Object.assign(new Error('a standby'), { code: '25006' })

/** Returns what is fine, or throws what is not. A result that begins with `!` is a warning. */
type Check = (config: Config) => Promise<string>

const checks: Record<string, Check> = {
  async configuration({ warnings }) {
    return warnings.length > 0 ? `! ${warnings.join('; ')}` : 'read'
  },
  async database({ database }) {
    const [row] = await query(
      database.address,
      `select current_setting('server_version') as version, current_setting('max_connections')::int as max,
        pg_is_in_recovery() as standby, (select count(*)::int from pg_stat_activity) as open`,
    )
    if (row?.standby) await describeErrors(database.address, () => Promise.reject(readOnly))
    return `PostgreSQL ${row?.version}, ${row?.open} of ${row?.max} connections are open`
  },
  async migrations({ database }) {
    await waitForDatabase(database.direct, now)
    const pending = await withClient(database.direct, (client) => pendingMigrations(client))
    if (pending.length === 0) return 'all of this version are applied'
    return `! the next start applies ${pending.map(({ tag }) => tag).join(', ')}`
  },
  async role({ database }) {
    // A fresh session, with only the settings that come from the role, the database or the server.
    const rows = await query(
      database.direct,
      `select name, setting from pg_settings where setting not in ('0', 'off')
      and name in ('idle_session_timeout', 'transaction_timeout', 'default_transaction_read_only')`,
    )
    if (rows.length === 0) return 'no time-out ends connections that listen or a long migration'
    const settings = rows.map(({ name, setting }) => `${name} = ${setting}`).join(', ')
    throw new Error(`${settings}: set it off for this role (alter role … set …)`)
  },
  async clock({ database }) {
    const before = Date.now()
    const [row] = await query(database.address, 'select extract(epoch from clock_timestamp()) * 1000 as now')
    const apart = Math.abs(Number(row?.now) - (before + Date.now()) / 2) / 1000
    if (apart > maxClockSkewSeconds)
      throw new Error(`it is ${apart.toFixed(1)} s apart from the database's: links and limits go by both`)
    return `${apart.toFixed(1)} s apart from the database's`
  },
  async pooler({ database }) {
    for (const address of [database.address, database.direct]) await waitForDatabase(address, now)
    await requireListening(database.direct, database.address)
    return 'LISTEN/NOTIFY works'
  },
  async queue({ queue }) {
    await waitForDatabase(queue.address, now)
    await requireSchema(queue.address, 'pgboss')
    const [row] = await query(queue.address, `select to_regclass('pgboss.job') is not null as installed`)
    return row?.installed ? 'its tables are there' : '! its tables are made at the first start'
  },
  async mail({ mail }) {
    const destination = mailDestination(mail)
    if (!destination) return '! MAILER_HOST is not set: mails are dropped'
    const transport = transportTo(mail, { warn() {} })
    onShutdown(() => transport.close())
    await transport.verify().catch(({ message }) => {
      throw new Error(message)
    })
    return `${destination} accepts our login`
  },
}

/** The provider that a workspace has connected, asked in the same way. */
async function checkSingleSignOn({ database, origin, singleSignOn, ...config }: Config, slug: string) {
  await waitForDatabase(database.address, now)
  const db = connect(database.address, 1)
  onShutdown(() => db.close())
  const connected = await connectionAt(db, slug)
  if (!connected) throw new Error('there is no such workspace, or it has no provider')
  if (!singleSignOn) throw new Error('SSO is off')
  const keys = keyRing(config.secretKeyBase, config.previousSecretKeyBase)
  const fetch = guardedFetch({ allowPrivate: singleSignOn.allowPrivateIssuers })
  const clients = createClients({ sealing: createSealing(keys('sealing')), origin, fetch })
  await accepted(async () => clients(connected).check())
  const redirectUri = origin + singleSignOnPaths.singleSignOnCallback(slug).url
  const verified = (await domainsOf(db, connected.account.id)).filter(({ verifiedAt }) => verifiedAt !== null)
  const names = verified.map(({ domain }) => domain).join(', ')
  const domains = names ? `verified domains: ${names}` : 'no domain is verified'
  return `accepts the client ID and secret; register ${redirectUri} as redirect URI; ${domains}`
}

const accepted = (check: () => Promise<unknown>) =>
  check().catch((error) => {
    if (error instanceof InvalidResponse) throw new Error(`it says ${error.reason}`)
    const reason = error instanceof ProviderUnavailable ? error.reason : 'unreachable'
    const help = reason === 'private_address' ? ': set SSO_PRIVATE_ISSUERS=allow' : ''
    throw new Error(`it cannot be reached (${reason})${help}`)
  })

/** Asks each provider with a code that nobody gave. It judges our id and secret first. */
const checksOf = ({ providers, origin }: Config) =>
  providers.map((provider): [string, Check] => [
    provider.id,
    async () => {
      const redirectUri = origin + providersPaths.providerCallback(provider.id).url
      const client = providerClient(provider, { fetch: guardedFetch({ allowPrivate: true }), redirectUri })
      await accepted(() => client.check())
      return `accepts our client ID and secret; register ${redirectUri} as redirect URI`
    },
  ])

await command({
  usage,
  async run(words) {
    const [what, slug = ''] = words
    const isOfWorkspace = what === 'sso' && words.length === 2
    if (words.length > 0 && !isOfWorkspace) throw new Usage()
    const config = await configured()
    const namedChecks: [string, Check][] = isOfWorkspace
      ? [['sso', () => checkSingleSignOn(config, slug)]]
      : [...Object.entries(checks), ...checksOf(config)]
    let failed = 0
    for (const [name, check] of namedChecks) {
      const [verdict, detail] = await check(config).then(
        (line) => (line.startsWith('! ') ? ['warning', line.slice(2)] : ['ok', line]),
        (error) => ['FAILED', reasonOf(error)],
      )
      if (verdict === 'FAILED') failed++
      console.log(`${verdict?.padEnd(8)}${name}: ${detail}`)
    }
    return failed > 0 ? notPossible : done
  },
})

async function query(address: Address, text: string) {
  await waitForDatabase(address, now)
  const { rows } = await withClient(address, (client) => client.query(text))
  return rows
}

function reasonOf(error: unknown) {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}
