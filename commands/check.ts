import { pendingMigrations } from '../drizzle/migrate.ts'
import { describeLeaving } from '../features/auth/leaving.ts'
import {
  type Address,
  connect,
  type Database,
  describeErrors,
  requireListening,
  requireSchema,
  waitForDatabase,
  withClient,
} from '../plugins/database/index.ts'
import { mailDestination, transportTo } from '../plugins/mail/index.ts'
import { keyRing } from '../plugins/security/keys.ts'
import { optionSettings } from '../plugins/settings.ts'
import type { Config } from '../server/config.ts'
import { onShutdown } from '../server/shutdown.ts'
import { command, configured, done, notPossible, openApp, Usage } from './command.ts'

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

/** Of options, which have as many as are configured. */
const checksOfOptions = async (config: Config) =>
  (await Promise.all(optionSettings.map(({ checks }) => checks?.(config) ?? []))).flat()

/** Each asked for by its name and one more word. */
const questions: Record<string, Question> = Object.assign(
  { leaving: { word: 'NAME', help: 'who loses what if an option is taken out', ask: askLeaving } },
  ...optionSettings.map((each) => each.questions),
)

type Question = { word: string; help: string; ask(db: Database, site: Site, word: string): Promise<string> }
type Site = Config & { keys: ReturnType<ReturnType<typeof keyRing>> }

const usage = [
  'Usage:',
  '  npm run check                 configuration, database, role, clock, pooler, queue, mail server and providers: a line each',
  ...Object.entries(questions).map(
    ([name, { word, help }]) => `  npm run check -- ${`${name} ${word}`.padEnd(12)} ${help}`,
  ),
].join('\n')

async function answer(config: Config, { ask }: Question, word: string) {
  const { address } = config.database
  await waitForDatabase(address, now)
  const db = connect(address, 1)
  onShutdown(() => db.close())
  const keys = keyRing(config.secretKeyBase, config.previousSecretKeyBase)('sealing')
  return ask(db, { ...config, keys }, word)
}

async function askLeaving(_db: Database, config: Config, option: string) {
  const app = await openApp(config)
  await app.ready()
  const words = await describeLeaving(app, option)
  if (!words) throw new Error('nobody signs in with it')
  return `! ${words}`
}

await command({
  usage,
  async run(words) {
    const [name = '', word = '', ...rest] = words
    const question = Object.hasOwn(questions, name) ? questions[name] : undefined
    if (words.length > 0 && (!question || words.length === 1 || rest.length > 0)) throw new Usage()
    const config = await configured()
    const namedChecks: [string, Check][] = question
      ? [[name, () => answer(config, question, word)]]
      : [...Object.entries(checks), ...(await checksOfOptions(config))]
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
