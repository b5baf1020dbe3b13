import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { name } from '../../brand/brand.ts'
import { BadConfig, loadConfig } from '../../server/config.ts'
import { names as settings } from '../../server/settings.ts'

const production = {
  NODE_ENV: 'production',
  HOST: 'https://app.example.com',
  SECRET_KEY_BASE: 'x'.repeat(64),
  DATABASE_URL: 'postgres://app:secret@db:5432/app',
}

/** What is said instead of a boot, if anything: a line for each mistake. */
function problems(environment: Record<string, string>) {
  try {
    loadConfig(environment)
    return ''
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error
    return error.message
  }
}

/** Each of these values of a setting in production is one line that begins so. */
function refuses(t: Test, name: string, values: string[], begin = `^${name} must be`) {
  for (const value of values) t.match(problems({ ...production, [name]: value }), new RegExp(`${begin}.*$`), value)
}

t.test('outside production everything has a default', async (t) => {
  t.match(loadConfig({}), {
    environment: 'development',
    origin: 'http://localhost:3000',
    port: 3000,
    bind: '127.0.0.1',
    appName: name,
    invitationOnly: false,
    ssr: { enabled: true, timeoutMs: 1500 },
    compression: true,
  })
  t.same(loadConfig({}).warnings, [])
  t.equal(loadConfig({ PORT: '4000' }).origin, 'http://localhost:4000')
})

t.test('the two names that the specification writes in lower case are read so, too; upper case wins', async (t) => {
  const lower = { app_name: 'Lower', mail_from: 'lower@example.com' }
  const mail = { from: 'lower@example.com' }
  t.match(loadConfig(lower), { appName: 'Lower', mail })
  t.match(loadConfig({ ...lower, APP_NAME: 'Upper', MAIL_FROM: '' }), { appName: 'Upper', mail })
  t.match(problems({ mail_from: 'nobody' }), /^MAIL_FROM must be.+$/)
  t.equal(loadConfig({ port: '4000' }).port, 3000, 'no other name')
})

t.test('production listens on all interfaces under its public origin', async (t) => {
  const origin = 'https://app.example.com'
  t.match(loadConfig(production), { production: true, origin, secure: true, bind: '0.0.0.0' })
  t.same(loadConfig(production).warnings, [])
  t.equal(loadConfig({ ...production, HOST: `${origin}/` }).origin, origin)
})

t.test('production refuses to boot without settings that have no safe default, and names them', async (t) => {
  for (const name of ['SECRET_KEY_BASE', 'DATABASE_URL'] as const) {
    const { [name]: _, ...rest } = production
    t.match(problems(rest), new RegExp(`^${name} must be.+$`))
    refuses(t, name, ['']) // which counts as unset
  }
  refuses(t, 'SECRET_KEY_BASE', ['x'.repeat(31)], '^SECRET_KEY_BASE .* at least 32')
})

t.test('a secret may lie in a file, whose one line end is dropped', async (t) => {
  const { DATABASE_URL, SECRET_KEY_BASE, ...rest } = production
  const older = 'y'.repeat(40)
  const files = { url: `${DATABASE_URL}\n`, secret: `${SECRET_KEY_BASE}\r\n`, older, password: 'two lines\n\n' }
  const folder = t.testdir(files)
  const config = loadConfig({
    ...rest,
    DATABASE_URL_FILE: `${folder}/url`,
    SECRET_KEY_BASE_FILE: `${folder}/secret`,
    SECRET_KEY_BASE_PREVIOUS_FILE: `${folder}/older`,
    MAILER_PASSWORD_FILE: `${folder}/password`,
  })
  t.match(config, { secretKeyBase: /^x{64}$/, previousSecretKeyBase: /^y{40}$/, mail: { password: /^two lines\n$/ } })
  t.match(config.database, { isGiven: true, address: { host: 'db' } })
})

t.test('a secret that is set twice, or whose file says nothing, is one line without a value', async (t) => {
  const folder = t.testdir({ empty: '\n', short: 'leak', long: 'leak'.repeat(16) })
  const both = problems({ ...production, SECRET_KEY_BASE_FILE: `${folder}/long` })
  t.equal(both, 'SECRET_KEY_BASE and SECRET_KEY_BASE_FILE are both set: only one of them can count')
  const { SECRET_KEY_BASE: _, ...rest } = production
  const unreadable = 'SECRET_KEY_BASE_FILE must be the path of a file that can be read and is not empty'
  for (const path of ['/leak/nowhere', folder, `${folder}/empty`])
    t.equal(problems({ ...rest, SECRET_KEY_BASE_FILE: path }), unreadable)
  const short = problems({ ...rest, SECRET_KEY_BASE_FILE: `${folder}/short` })
  t.match(short, /^SECRET_KEY_BASE must be.+$/, 'what it contains follows the same rules')
  const unset = problems({ ...rest, SECRET_KEY_BASE_FILE: '' })
  t.match(unset, /^SECRET_KEY_BASE must be.+$/, 'which an empty path counts as')
})

t.test('production boots with a short secret and without a public origin, and warns', async (t) => {
  const { HOST: _, ...rest } = production
  const config = loadConfig({ ...rest, PORT: '8080', SECRET_KEY_BASE: 'secret'.repeat(6) })
  t.equal(config.origin, 'http://localhost:8080')
  t.match(config.warnings, [/^HOST is not set: .*http:\/\/localhost:8080/, /^SECRET_KEY_BASE has fewer than 64/])
  t.notMatch(config.warnings.join(), 'secretsecret')
})

t.test('proxies are counted, from none to five', async (t) => {
  const proxiesOf = (count: string) => loadConfig({ ...production, TRUST_PROXY: count }).proxies
  t.same(['', '0', '1', '2', '5', 'true', 'false'].map(proxiesOf), [1, 0, 1, 2, 5, 1, 0])
  refuses(t, 'TRUST_PROXY', ['6', '-1', 'yes', '10.0.0.0/8'])
})

t.test('the lifetimes of sessions are numbers with a unit', async (t) => {
  const sessionsOf = (idle: string, max = '') =>
    loadConfig({ ...production, SESSION_IDLE: idle, SESSION_MAX: max }).sessions
  t.same(sessionsOf(''), { idleMs: undefined, maxMs: undefined })
  t.same(sessionsOf('90s', '30m'), { idleMs: 90_000, maxMs: 1_800_000 })
  t.same(sessionsOf('12h', '30d'), { idleMs: 43_200_000, maxMs: 2_592_000_000 })
  refuses(t, 'SESSION_IDLE', ['0s', '30', 'm', '1.5h', '30 m', '1w', '-1h', '123456d', '30m12h'])
})

t.test('additional origins of the content policy are origins, and nothing weaker', async (t) => {
  const sourcesOf = (policy: string) => loadConfig({ ...production, CSP_SOURCES: policy }).contentSources
  t.same(sourcesOf(''), {})
  t.same(sourcesOf('img-src https://a.example https://b.example:8443;font-src https://c.example;'), {
    'img-src': ['https://a.example', 'https://b.example:8443'],
    'font-src': ['https://c.example'],
  })
  const both = 'img-src https://a.example; img-src https://b.example'
  t.same(sourcesOf(both), { 'img-src': ['https://a.example', 'https://b.example'] })
  const weak = ["'unsafe-inline'", '*', 'https:', 'http://a.example', 'https://a.example/path', '']
  const others = ['default-src', 'frame-ancestors'].map((directive) => `${directive} https://a.example`)
  const forged = 'img-src https://a.example\r\nx: y'
  refuses(t, 'CSP_SOURCES', [...weak.map((each) => `script-src ${each}`), ...others, 'https://a.example', forged])
})

t.test('every mistake has its line, and no line contains a value', async (t) => {
  const flawed = ['SIGN_UP', 'SSR_ENABLED', 'DATABASE_POOL', 'LOG_LEVEL', 'COMPRESSION', 'NODE_ENV', 'MAIL_FROM']
  const mistakes = {
    ...Object.fromEntries(
      [...flawed, 'COMMON_PASSWORDS', 'ACTIVITY_DAYS', 'SESSION_IDLE'].map((name) => [name, 'leak']),
    ),
    ...{ HOST: 'leak.example.com', PORT: '65536', DATABASE_URL: 'mysql://leak' },
    ...{ SSR_TIMEOUT_MS: '0', WEB_CONCURRENCY: '0', SESSION_MAX: '0h' },
  }
  const lines = problems(mistakes)
  t.same(
    lines
      .split('\n')
      .map((line) => line.split(' ')[0])
      .sort(),
    Object.keys(mistakes).sort(),
  )
  t.notMatch(lines, /leak/)
})

t.test('the demo user needs both an email and a password, which follows the rules', async (t) => {
  const email = { DEMO_ADMIN_EMAIL: 'admin@example.com' }
  t.match(problems(email), /^DEMO_ADMIN_PASSWORD.+$/)
  t.match(problems({ DEMO_ADMIN_PASSWORD: 'long enough password' }), /^DEMO_ADMIN_EMAIL.+$/)
  for (const password of ['x'.repeat(11), 'ä'.repeat(37)])
    t.match(problems({ ...email, DEMO_ADMIN_PASSWORD: password }), /^DEMO_ADMIN_PASSWORD.+$/)
  const DEMO_ADMIN_PASSWORD_FILE = `${t.testdir({ long: 'ä'.repeat(37) })}/long`
  t.match(problems({ ...email, DEMO_ADMIN_PASSWORD_FILE }), /^DEMO_ADMIN_PASSWORD must have.+$/)
  const { demoAdmin } = loadConfig({ ...email, DEMO_ADMIN_PASSWORD: 'x'.repeat(12) })
  t.match(demoAdmin, { email: 'admin@example.com' })
})

t.test('addresses of databases are parsed, and no line about them contains a value', async (t) => {
  const direct = 'postgres://app:secret@direct:5432/app'
  const { database, queue } = loadConfig({ ...production, DATABASE_DIRECT_URL: direct })
  t.match(database, { address: { host: 'db', pooled: true }, direct: { host: 'direct' } })
  t.equal(queue.address, database.direct)
  const { database: alone } = loadConfig(production)
  t.equal(alone.direct, alone.address, 'by default they are the same')
  t.equal(alone.address.pooled, false)

  const queueElsewhere = loadConfig({ ...production, QUEUE_URL: 'postgres://queue/app?sslmode=require' }).queue
  t.match(queueElsewhere.address, { host: 'queue', ssl: { rejectUnauthorized: false } })
  const wrong = ['?leak=1', '?sslmode=leak', '?target_session_attrs=leak', '#leak']
  const addresses = wrong.map((end) => `postgres://app:leak@db/app${end}`)
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'QUEUE_URL'])
    refuses(t, name, addresses, `^${name} (must|has) ((?!leak).)+$`)
  refuses(t, 'DATABASE_CA', ['leak'], '^DATABASE_CA must be the certificate((?!leak).)+$')
})

t.test('how long to wait and to drain are seconds', async (t) => {
  const wait = (DATABASE_WAIT: string) => loadConfig({ ...production, DATABASE_WAIT }).database.waitSeconds
  t.same(['', '6', '6s', '0'].map(wait), [60, 6, 6, 0])
  const drain = (DRAIN_SECONDS: string) => loadConfig({ ...production, DRAIN_SECONDS }).drainSeconds
  t.same(['', '15'].map(drain), [0, 15])
  refuses(t, 'DATABASE_WAIT', ['1m', '-1'], '^DATABASE_WAIT must be a number of seconds')
  refuses(t, 'DRAIN_SECONDS', ['5s'], '^DRAIN_SECONDS must be a number of seconds')
  t.equal(loadConfig(production).keepAliveSeconds, 72)
  for (const seconds of ['1', '3600'])
    t.equal(loadConfig({ ...production, KEEP_ALIVE_SECONDS: seconds }).keepAliveSeconds, Number(seconds))
  refuses(
    t,
    'KEEP_ALIVE_SECONDS',
    ['0', '3601', '72s'],
    '^KEEP_ALIVE_SECONDS must be a number of seconds from 1 to 3600',
  )
})

t.test('.env.example has every setting, no secret, and no comment that would become a value', async (t) => {
  const lines = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n')
  const set = lines.filter((line) => line && !line.startsWith('#'))
  t.ok(set.length > 10)
  for (const line of set) t.match(line, /^[A-Z_]+=[^#]*$/)
  t.notOk(
    set.some((line) => line.startsWith('BIND=')),
    'which would win over the 127.0.0.1 of a systemd unit',
  )
  const example = Object.fromEntries(set.map((line) => line.split(/=(.*)/)))
  t.match(problems(example), /^SECRET_KEY_BASE must be.+$/)
  t.equal(problems({ ...example, SECRET_KEY_BASE: 'x'.repeat(64) }), '')
  const missing = settings.filter((name) => !lines.some((line) => line.replace(/^# /, '').startsWith(`${name}=`)))
  t.same(missing, [])
})

t.test('what cannot be meant stops the boot', async (t) => {
  const blanks = ' '.repeat(64)
  for (const name of ['SECRET_KEY_BASE', 'SECRET_KEY_BASE_PREVIOUS', 'MAILER_PASSWORD'])
    refuses(t, name, [blanks, '\t'])
  for (const name of ['APP_NAME', 'BIND', 'DATABASE_URL']) refuses(t, name, [' '])
  const { SECRET_KEY_BASE: _, ...rest } = production
  const SECRET_KEY_BASE_FILE = `${t.testdir({ marked: `\ufeff${'x'.repeat(64)}` })}/marked`
  t.match(problems({ ...rest, SECRET_KEY_BASE_FILE }), /^SECRET_KEY_BASE contains a byte order mark.*[^x]$/)
  refuses(t, 'MAILER_USER', ['\ufeffme'], '^MAILER_USER contains a byte order mark')

  refuses(
    t,
    'SECRET_KEY_BASE_PREVIOUS',
    [production.SECRET_KEY_BASE],
    '^SECRET_KEY_BASE_PREVIOUS must be .*not the one',
  )
  refuses(t, 'MAILER_PORT', ['0'])
  refuses(t, 'LANGUAGES', ['en,de,en', 'de, de'])
})
