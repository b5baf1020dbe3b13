import t from 'tap'
import { check, runCommand, runScript } from '../helpers/commands.ts'
import { createDatabase } from '../helpers/database.ts'
import { operatorOf } from '../helpers/postgres.ts'
import { startSmtp } from '../helpers/smtp.ts'

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
  const alone = await runScript('commands/check.ts', { DATABASE_URL: 'nonsense' })
  t.match(alone, { code: 1, out: /^$/, err: /^DATABASE_URL must be/ })
  t.match(await runCommand('check', { DATABASE_URL: 'nonsense' }, 'all'), { code: 2, out: /^$/, err: /^Usage:/ })
})
