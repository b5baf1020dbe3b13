import '../server/preload.ts'
import { openClient, requireListening } from '../plugins/database/index.ts'
import { transportTo } from '../plugins/mail/index.ts'
import type { Config } from '../server/config.ts'
import { stopLater } from '../server/stops.ts'
import { command, configured, done, notPossible, Usage } from './command.ts'

// `npm run check`, for operators: checks everything the application depends on, and changes nothing.

const usage = `Usage:
  npm run check    configuration, database, role, clock, pooler, queue and mail server: a line each`

const latestClock = 5 // seconds

/** Returns what is fine, or throws what is not. A result that begins with `!` is a warning. */
type Check = (config: Config) => Promise<string>

const checks: Record<string, Check> = {
  async configuration({ warnings }) {
    return warnings.length > 0 ? `! ${warnings.join('; ')}` : 'read'
  },
  async database({ database }) {
    const client = open(database.address)
    const [row] = await client`
      select current_setting('server_version') as version, current_setting('max_connections')::int as most,
        pg_is_in_recovery() as standby, (select count(*)::int from pg_stat_activity) as open`
    if (row?.standby) throw new Error('it is a standby, which takes no writes')
    return `PostgreSQL ${row?.version}, ${row?.open} of ${row?.most} connections are open`
  },
  async role({ database }) {
    // A fresh session, with only the settings that come from the role, the database or the server.
    const client = open(database.direct)
    const names = ['idle_session_timeout', 'transaction_timeout', 'default_transaction_read_only']
    const rows = await client<{ name: string; setting: string }[]>`
      select name, setting from pg_settings where name in ${client(names)} and setting not in ('0', 'off')`
    if (rows.length === 0) return 'no time-out ends connections that listen or a long migration'
    const found = rows.map(({ name, setting }) => `${name} = ${setting}`).join(', ')
    throw new Error(`${found}: set it off for this role (alter role … set …)`)
  },
  async clock({ database }) {
    const client = open(database.address)
    const asked = Date.now()
    const [row] = await client`select extract(epoch from clock_timestamp()) * 1000 as now`
    const apart = Math.abs(Number(row?.now) - (asked + Date.now()) / 2) / 1000
    if (apart > latestClock)
      throw new Error(`it is ${apart.toFixed(1)} s apart from the database's: links and limits go by both`)
    return `${apart.toFixed(1)} s apart from the database's`
  },
  async pooler({ database }) {
    await requireListening(database.direct)
    return 'a LISTEN arrives'
  },
  async queue({ queue }) {
    const client = open(queue.address)
    const [row] = await client`select to_regclass('pgboss.job') is not null as installed`
    return row?.installed ? 'its tables are there' : '! its tables are made at the first start'
  },
  async mail({ mail }) {
    if (!mail.host) return '! MAILER_HOST is not set: mails are dropped'
    const transport = transportTo(mail, { warn() {} })
    stopLater(() => transport.close())
    await transport.verify()
    return `${mail.host} takes our mail`
  },
}

await command({
  usage,
  async run(words) {
    if (words.length > 0) throw new Usage()
    const config = await configured()
    let failed = 0
    for (const [name, check] of Object.entries(checks)) {
      const line = await check(config).catch((error) => {
        failed++
        return `FAILED ${reasonOf(error)}`
      })
      const [verdict, said] = line.startsWith('FAILED ')
        ? ['FAILED', line.slice(7)]
        : line.startsWith('! ')
          ? ['warning', line.slice(2)]
          : ['ok', line]
      console.log(`${verdict.padEnd(8)}${name}: ${said}`)
    }
    return failed > 0 ? notPossible : done
  },
})

function open(address: Config['database']['address']) {
  const client = openClient(address, { pool: 1, name: 'accounts check' })
  stopLater(() => client.end({ timeout: 1 }))
  return client
}

/** The message of a mail server may quote the login. */
function reasonOf(error: unknown) {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}
