import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import type { Line } from './app.ts'
import { childEnvironment } from './children.ts'
import { createDatabase } from './database.ts'
import { headerOf, visit } from './visitor.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The settings of the image. */
export const production = {
  NODE_ENV: 'production',
  HOST: 'http://localhost:3000',
  SECRET_KEY_BASE: 'what signs the cookies of a test has to be long, and need not be secret',
}

type Options = {
  /** A file descriptor that takes the log. */
  stdout?: number
  /** How many file descriptors a process may have. */
  descriptors?: number
}

/** Runs the server in a process of its own. */
export async function startServer(t: Test, environment: Record<string, string> = {}, options: Options = {}) {
  const port = await freePort()
  const database = environment.DATABASE_URL ?? (await createDatabase(t))
  const settings = { PORT: String(port), DATABASE_URL: database, MAILER_HOST: '127.0.0.1', ...environment }
  const env = { ...childEnvironment(), ...settings }
  const limit = options.descriptors ? `ulimit -n ${options.descriptors};` : ''
  const child = spawn('sh', ['-c', `${limit} exec "$0" server.ts`, process.execPath], {
    cwd: root,
    env,
    stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'],
  })
  const output = { text: '' }
  t.teardown(() => {
    child.kill('SIGKILL')
    if (!t.passing()) console.error(output.text)
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output.text += chunk))
  const exit = once(child, 'close').then(([code]) => code as number | null) // all output has been read by then
  return { child, port, output, exit, url: `http://${environment.BIND ?? '127.0.0.1'}:${port}` }
}

type Server = Awaited<ReturnType<typeof startServer>>

async function untilUp({ url, child, output }: Server) {
  while (!(await fetch(`${url}/up`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(output.text)
    await sleep(25)
  }
}

/** A server that is up. */
export async function serve(...settings: Parameters<typeof startServer>) {
  const server = await startServer(...settings)
  await untilUp(server)
  const get = (path: string, headers = {}) =>
    fetch(server.url + path, { headers: { connection: 'close', ...headers }, redirect: 'manual' })
  return { ...server, get }
}

/** What it logged, as far as it is JSON. The rest of the last line may still be to come. */
export const linesOf = ({ output }: Pick<Server, 'output'>): Line[] =>
  output.text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : []))

/** The processes that it started. */
export async function workersOf({ child: { pid } }: Pick<Server, 'child'>) {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').filter(Boolean).map(Number)
}

/** A sign-in of which half has been sent. */
export async function beginSignIn(t: Test, url: string) {
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const { cookies, csrf } = await visit(url)
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'whatever it is' })
  const form = { 'content-type': 'application/json', 'content-length': body.length }
  const headers = { ...form, ...csrf, cookie: headerOf(cookies) }
  const sent = request(`${url}/sign_in`, { method: 'POST', agent, headers })
  sent.write(body.slice(0, 9))
  const answered = once(sent, 'response')
  answered.catch(() => {}) // `finish` throws it
  await once(sent, 'socket')
  return {
    async finish() {
      sent.end(body.slice(9))
      const [response] = await answered
      response.resume()
      return response as IncomingMessage
    },
  }
}
