import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { childEnvironment } from './children.ts'
import { createDatabase } from './database.ts'

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

export async function untilUp({ url, child, output }: Server) {
  while (!(await fetch(`${url}/up`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(output.text)
    await sleep(25)
  }
}
