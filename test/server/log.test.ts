import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { childEnvironment } from '../helpers/children.ts'
import { createDatabase } from '../helpers/database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs the server as in the image. Its log goes to `file`. */
async function start(t: Test, file: string, environment: Record<string, string> = {}) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env = {
    ...childEnvironment(),
    NODE_ENV: 'production',
    HOST: 'http://localhost:3000',
    SECRET_KEY_BASE: 'what signs the cookies of a test has to be long, and need not be secret',
    DATABASE_URL: await createDatabase(t),
    MAILER_HOST: '127.0.0.1',
    BIND: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    ...environment,
  }
  const log = openSync(file, 'r+')
  t.teardown(() => closeSync(log)) // a pipe keeps its reader until then, which never reads
  const child = spawn(process.execPath, ['server.ts'], { cwd: root, env, stdio: ['ignore', log, 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  let complaints = ''
  child.stderr?.on('data', (chunk) => (complaints += chunk))
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const metrics = `http://127.0.0.1:${metricsPort}/metrics`
  const answers = async (url: string) => (await fetch(url).catch(() => undefined))?.ok === true
  // Of several processes, the supervisor shows metrics before the others take connections.
  while (!((await answers(`http://127.0.0.1:${port}/up`)) && (await answers(metrics)))) {
    if (child.exitCode !== null) throw new Error(complaints)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  /** Requests pages that do not exist, each of which is a log line of half a kilobyte. Resolves once all are answered. */
  const visit = async (count: number) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `HEAD /${'nowhere/'.repeat(25)} HTTP/1.1\r\nhost: x\r\nx-request-id: ${'x'.repeat(64)}\r\n\r\n`.repeat(count),
    )
    let answers = 0
    for await (const chunk of socket) {
      answers += String(chunk).split('Not Found').length - 1
      if (answers >= count - 1) break // one may be split between two chunks
    }
  }
  const dropped = async () => {
    const text = await (await fetch(metrics)).text()
    return Number(/^log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
  }
  return { child, exit, visit, dropped }
}

function stalledPipe(t: Test) {
  const pipe = `${t.testdir()}/log`
  execFileSync('mkfifo', [pipe])
  return pipe
}

t.test('a log that is full holds up neither requests nor the shutdown', async (t) => {
  await holdsNothingUp(t, await start(t, '/dev/full'))
})

t.test('a log that nobody reads holds up neither requests nor the shutdown', async (t) => {
  await holdsNothingUp(t, await start(t, stalledPipe(t)))
})

t.test('a log that nobody reads does not hold up the shutdown of several processes and their supervisor', async (t) => {
  const server = await start(t, stalledPipe(t), { WEB_CONCURRENCY: '2' })
  await server.visit(500)
  server.child.kill('SIGTERM')
  t.equal(await server.exit, 0, 'not forced')
})

async function holdsNothingUp(t: Test, server: Awaited<ReturnType<typeof start>>) {
  t.equal(await server.dropped(), 0)
  await server.visit(3_000)
  t.ok((await server.dropped()) > 0, 'lines that found no room are counted')
  server.child.kill('SIGTERM')
  t.equal(await server.exit, 0, 'not forced')
}
