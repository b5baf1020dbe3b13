import { exec, execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { addressOf, migrateAll } from '../helpers/address.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { signedIn, signedUp } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

const run = promisify(execFile)

// The embedded Postgres has no pg_dump, and a system's pg_dump does not read newer servers, so both must come from the
// same installation.
const [programs] = globSync('/usr/lib/postgresql/*/bin/').filter(
  (folder) => globSync(`${folder}/{initdb,pg_dump,pg_restore}`).length === 3,
)
const skip = programs ? false : 'no Postgres with pg_dump is installed'

t.test('a backup taken and restored as the documentation says has everything', { skip }, async (t) => {
  const server = await startSystemPostgres(t)
  const before = await server.createDatabase('before')
  await migrateAll(addressOf(before))
  const old = await startApp(t, { DATABASE_URL: before })
  const { browser, person, slug } = await signedUp(old.app)
  await browser.submit('POST', `/${slug}/invitations`, { email: 'ben@example.com', role: 'member' })

  const commands = await documentedCommands()
  t.equal(commands.length, 2, 'one takes it, the other restores it')
  const type = (command: string | undefined, DATABASE_URL: string) =>
    promisify(exec)(command ?? '', {
      cwd: server.folder,
      env: { PATH: `${programs}:${process.env.PATH}`, DATABASE_URL },
    })
  await type(commands[0], before)
  await old.app.close()
  const after = await server.createDatabase('after')
  await type(commands[1], after)

  const smtp = await startSmtp(t)
  const { app } = await startApp(t, { DATABASE_URL: after, ...smtp.environment })
  const tab = new Browser(app)
  for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
  t.equal((await tab.visit(`/${slug}`)).component, 'accounts/show', 'who was signed in still is')
  t.equal((await signedIn(app, person)).page.url, `/${slug}`, 'and may sign in')

  await app.jobs.work()
  const mails = [await smtp.next(), await smtp.next()]
  const invitation = mails.find(({ recipient }) => recipient === 'ben@example.com')
  const link = /\/invitations\/[\w-]+/.exec(invitation?.text ?? '')?.[0] ?? ''
  t.equal(
    (await new Browser(app).visit(link)).component,
    'invitations/show',
    'a mail that waited is sent, and its link leads in',
  )
})

/** The commands in the section "Back up and restore", in order. */
async function documentedCommands() {
  const text = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  const section = /^## Back up and restore$(.*?)^## /ms.exec(text)?.[1] ?? ''
  return Array.from(section.matchAll(/```sh\n(.+)\n```/g), ([, command]) => command)
}

/** Starts a system Postgres for this test. It refuses to run as root. */
async function startSystemPostgres(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-restore-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  const user = process.getuid?.() === 0 ? { uid: await id('-u'), gid: await id('-g') } : {}
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid)
  const program = (name: string, ...args: string[]) => run(join(programs ?? '', name), args, { ...user, cwd: '/' })

  const data = join(folder, 'data')
  const port = await freePort()
  await writeFile(join(folder, 'password'), 'app')
  const access = ['--username=app', `--pwfile=${join(folder, 'password')}`, '--auth=scram-sha-256', '--encoding=UTF8']
  await program('initdb', `--pgdata=${data}`, ...access, '--locale=C')
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c fsync=off`
  await program('pg_ctl', 'start', '-w', '-s', '-D', data, '-l', join(folder, 'log'), '-o', settings)
  t.teardown(() => program('pg_ctl', 'stop', '-w', '-s', '-m', 'immediate', '-D', data))

  const urlOf = (database: string) => `postgres://app:app@127.0.0.1:${port}/${database}`
  return {
    folder,
    async createDatabase(name: string) {
      await program('createdb', `--maintenance-db=${urlOf('postgres')}`, name)
      return urlOf(name)
    },
  }
}
