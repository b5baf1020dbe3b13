import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { createDatabase } from '../helpers/database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** `npm start` in a process of its own, on a database of this test. */
async function start(t: Test, environment: Record<string, string> = {}) {
  const port = await freePort()
  const settings = {
    PORT: String(port),
    DATABASE_URL: await createDatabase(t),
    MAILER_HOST: '127.0.0.1',
    ...environment,
  }
  const child = spawn(process.execPath, ['server.ts'], { cwd: root, env: { PATH: process.env.PATH, ...settings } })
  t.teardown(() => child.kill('SIGKILL'))
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += chunk))
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  return { child, port, output, exit, url: `http://127.0.0.1:${port}` }
}

async function untilUp({ url, exit, output }: { url: string; exit: Promise<unknown>; output: { text: string } }) {
  let gone = false
  exit.then(() => (gone = true))
  while (!gone) {
    const response = await fetch(`${url}/up`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(output.text)
}

t.test('the server boots on an empty database, says where it is, and SIGTERM or Ctrl-C stop it', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const server = await start(t, { APP_NAME: 'Acme', SIGN_UP: 'invitation_only' })
    await untilUp(server)
    server.child.kill(signal)
    t.equal(await server.exit, 0, signal)
    for (const line of [
      'Acme is running',
      `http://localhost:${server.port}`,
      'Database',
      'Mail',
      'by invitation only',
    ]) {
      t.match(server.output.text, line)
    }
  }
})

t.test('a taken port is one clear line', async (t) => {
  const port = await freePort()
  const other = await listen(port)
  t.teardown(() => other.close())
  const server = await start(t, { PORT: String(port) })
  t.equal(await server.exit, 1)
  t.equal(server.output.text.trim(), `Port ${port} is taken: stop what listens there, or set PORT to another one`)
})

t.test('a mistake in the settings is one line each, without the value', async (t) => {
  const server = await start(t, { SIGN_UP: 'secret', DATABASE_POOL: 'secret' })
  t.equal(await server.exit, 1)
  t.same(
    server.output.text
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
    ['DATABASE_POOL', 'SIGN_UP'],
  )
  t.notMatch(server.output.text, /secret/)
})

t.test('a database out of reach is one clear line', async (t) => {
  const server = await start(t, { DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/nothing` })
  t.equal(await server.exit, 1)
  t.equal(server.output.text.trim(), 'The database of DATABASE_URL cannot be reached')
})

t.test('SIGTERM under load cuts no request off', async (t) => {
  const server = await start(t)
  await untilUp(server)
  const faults: unknown[] = []
  let answered = 0
  const visit = async () => {
    for (;;) {
      try {
        const response = await fetch(`${server.url}/sign_in`, { headers: { connection: 'close' } })
        await response.text()
        if (response.status !== 200) faults.push(response.status)
        answered++
      } catch (error) {
        const { code } = (error as { cause?: { code?: string } }).cause ?? {}
        if (code === 'ECONNREFUSED') return // nobody listens any more
        faults.push(code)
        return
      }
    }
  }
  const visitors = Array.from({ length: 8 }, visit)
  while (answered < 50) await new Promise((resolve) => setTimeout(resolve, 5))
  server.child.kill('SIGTERM')
  await Promise.all(visitors)
  t.equal(await server.exit, 0)
  t.same(
    faults.filter((fault) => fault !== 'ECONNRESET'),
    [],
  ) // reset: it waited in the backlog and was never accepted
})

t.test('with several processes a dead one is replaced, and all stop together', async (t) => {
  const server = await start(t, { WEB_CONCURRENCY: '2' })
  await untilUp(server)
  const workers = await childrenOf(server.child)
  t.equal(workers.length, 2)
  process.kill(Number(workers[0]), 'SIGKILL')
  let now: string[] = []
  while (now.length < 2 || now.includes(workers[0] ?? '')) now = await childrenOf(server.child)
  await untilUp(server)
  server.child.kill('SIGTERM')
  t.equal(await server.exit, 0)
  for (const pid of now) t.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' })
})

async function childrenOf({ pid }: ChildProcess) {
  const { readFile } = await import('node:fs/promises')
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').filter(Boolean)
}

function listen(port: number) {
  return new Promise<Server>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

async function freePort() {
  const server = await listen(0)
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
