import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { ssoConnections } from '../../drizzle/tables/single-sign-on.ts'
import { settings } from '../helpers/app.ts'
import { runCommand } from '../helpers/commands.ts'
import { createDatabase } from '../helpers/database.ts'
import { startIssuer } from '../helpers/issuer.ts'
import { operatorOf } from '../helpers/postgres.ts'
import { startSso } from '../helpers/single-sign-on.ts'
import { startSmtp } from '../helpers/smtp.ts'

/** Runs all checks against a database, a new one unless it is given. */
async function check(t: Test, environment: Record<string, string> = {}) {
  const settings = { DATABASE_URL: environment.DATABASE_URL ?? (await createDatabase(t)), ...environment }
  const { code, out } = await runCommand('check', settings)
  const verdicts = Array.from(out.matchAll(/^(\S+)\s+(\w+): ./gm), ([, verdict, name = '']) => [name, verdict])
  return { code, out, verdicts: Object.fromEntries(verdicts) }
}

t.test('all checks pass: a line each, and exit code 0', async (t) => {
  const smtp = await startSmtp(t)
  const { code, out, verdicts } = await check(t, smtp.environment)
  t.match(verdicts, { database: 'ok', role: 'ok', clock: 'ok', pooler: 'ok', queue: 'ok', mail: 'ok' })
  t.match(out, /^ok +database: PostgreSQL \d+\.\d+, \d+ of \d+ connections are open$/m)
  t.equal(code, 0)
})

t.test('a role with an idle timeout is reported, and so is an unreachable mail server', async (t) => {
  const url = await createDatabase(t)
  await operatorOf(t, url).unsafe(`alter database "${new URL(url).pathname.slice(1)}" set idle_session_timeout = '60s'`)
  const mail = { MAILER_HOST: '127.0.0.1', MAILER_PORT: '1' }
  const { code, out, verdicts } = await check(t, { DATABASE_URL: url, ...mail })
  t.match(verdicts, { database: 'ok', role: 'FAILED', mail: 'FAILED' })
  t.match(out, /^FAILED +role: idle_session_timeout = 60000/m)
  t.match(out, /^FAILED +mail: connect ECONNREFUSED 127\.0\.0\.1:1$/m)
  t.equal(code, 1)
})

t.test('without a database its checks fail; bad settings and arguments are one line each', async (t) => {
  const { code, out } = await check(t, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  t.equal(code, 1)
  for (const name of ['database', 'role', 'clock', 'pooler', 'queue']) {
    const line = `${name}: The database of DATABASE_URL cannot be reached \\(ECONNREFUSED\\)`
    t.match(out, new RegExp(`^FAILED +${line}$`, 'm'))
  }
  t.match(await runCommand('check', { DATABASE_URL: 'nonsense' }), { code: 1, out: /^$/, err: /^DATABASE_URL must be/ })
  t.match(await runCommand('check', { DATABASE_URL: 'nonsense' }, 'all'), { code: 2, out: /^$/, err: /^Usage:/ })
})

t.test('a provider is asked whether it knows our id and secret, with our redirect URI', async (t) => {
  const issuer = await startIssuer(t)
  const environment = { HOST: 'https://app.example.com', ...issuer.environment }
  const callback =
    /^ok +oidc: accepts our .* https:\/\/app\.example\.com\/sign_in\/with\/oidc\/callback as redirect URI$/m
  const known = await check(t, environment)
  t.match(known.out, callback)
  t.same([known.code, known.verdicts.mail], [0, 'warning'], 'without a mail server there is a warning, but no failure')

  const refusing = (response: ServerResponse) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}')
  issuer.state.instead = { '/token': refusing }
  const wrong = await check(t, environment)
  t.match(wrong.out, /^FAILED +oidc: it says invalid_client$/m)
  t.equal(wrong.code, 1)
  const gone = await check(t, { ...environment, OIDC_ISSUER: 'http://127.0.0.1:1' })
  t.match(gone.out, /^FAILED +oidc: it cannot be reached \(unreachable\)$/m)
})

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
