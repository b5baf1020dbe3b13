import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { freePort } from '../../development/free-port.ts'
import { createDatabase } from '../helpers/database.ts'
import { production, serve, startServer } from '../helpers/server.ts'

t.test('the server boots on an empty database, says where it is, and stops by each signal', async (t) => {
  for (const [signal, MAILER_HOST] of [
    ['SIGINT', ''],
    ['SIGHUP', '127.0.0.1'],
  ] as const) {
    const server = await serve(t, { APP_NAME: 'Acme', SIGN_UP: 'invitation_only', MAILER_HOST })
    server.child.kill(signal)
    t.equal(await server.exit, 0, signal)
    t.equal(server.output.text.includes('MAILER_HOST is not set'), MAILER_HOST === '', 'warns without a mail server')
    const lines = ['Acme is running', `http://localhost:${server.port}`, 'Database', 'Mail', 'by invitation only']
    for (const line of lines) t.match(server.output.text, line)
  }
})

t.test('a server that is stopped while it starts ends without an error, at whatever point', async (t) => {
  const DATABASE_URL = await createDatabase(t)
  for (const later of [0, 20, 80]) {
    const server = await serve(t, { ...production, DATABASE_URL }) // not the end of a start: mails and jobs follow
    await sleep(later)
    server.child.kill('SIGTERM')
    t.equal(await server.exit, 0)
    for (const line of server.output.text.trim().split('\n')) t.ok(JSON.parse(line).level < 50, line)
  }
})

t.test('a taken port is one clear line', async (t) => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const server = await startServer(t, { PORT: String(port) })
  t.equal(await server.exit, 1)
  t.equal(server.output.text.trim(), `Port ${port} is taken: stop what listens there, or set PORT to another one`)
})

t.test('a log that is full or that nobody reads loses lines, and holds up nothing', async (t) => {
  const pipe = `${t.testdir()}/log`
  execFileSync('mkfifo', [pipe])
  for (const [file, WEB_CONCURRENCY] of [
    ['/dev/full', '1'],
    [pipe, '2'],
  ] as const) {
    const log = openSync(file, 'r+') // a pipe keeps its reader until then, which never reads
    t.teardown(() => closeSync(log))
    const server = await serve(t, { ...production, WEB_CONCURRENCY }, { stdout: log })
    // Each is a line of half a kilobyte. A pipe is full after 130.
    const headers = { 'x-request-id': 'x'.repeat(64) }
    const visit = () => fetch(`${server.url}/${'nowhere/'.repeat(25)}`, { method: 'HEAD', headers })
    for (let count = 0; count < 300; count += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, visit))
      t.ok(answers.every(({ status }) => status === 404))
    }
    if (file === pipe) blockWhoWrites(pipe, log)
    server.child.kill('SIGTERM')
    t.equal(await server.exit, 0, 'not forced')
  }
})

/** Fills a pipe to its last byte, and shares it with a process that ends, so that a write waits for the reader. */
function blockWhoWrites(pipe: string, log: number) {
  const filling = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
  const fill = () => {
    for (;;) writeSync(filling, 'x')
  }
  t.throws(fill, { code: 'EAGAIN' })
  closeSync(filling)
  execFileSync('true', { stdio: ['ignore', log, 'inherit'] })
}
