import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../development/free-port.ts'
import { childEnvironment } from '../test/helpers/children.ts'
import type { Owner } from '../test/helpers/owner.ts'

export const secretKeyBase = 'what signs the cookies of a bench has to be long, and does not have to be secret'

/** The application as in production, or another script, in a process of its own. Resolves with its first 200 of /up. */
export async function startServer(
  owner: Owner,
  DATABASE_URL: string,
  more: Record<string, string> = {},
  script = 'server.ts',
) {
  const port = more.PORT ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const production = { NODE_ENV: 'production', HOST: url, BIND: '127.0.0.1', SECRET_KEY_BASE: secretKeyBase }
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--max-semi-space-size=16', '--import=./server/preload.js', script], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    env: { ...childEnvironment(), ...production, PORT: String(port), DATABASE_URL, LOG_LEVEL: 'fatal', ...more },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  async function stop() {
    child.kill('SIGTERM')
    await exited
  }
  owner.teardown(stop)
  while (!(await fetch(`${url}/up`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`${script} did not start`)
    await sleep(5)
  }
  return { url, port: String(port), pid: child.pid as number, startedInMs: performance.now() - startedAt, exited, stop }
}

/** Resident memory of a process, in bytes. */
export async function residentMemory(pid: number) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** Runs teardowns in reverse order, also after Ctrl-C. */
export async function withOwner(work: (owner: Owner) => Promise<void>) {
  const teardowns: (() => unknown)[] = []
  async function end() {
    for (const stop of teardowns.splice(0).reverse()) await stop()
  }
  process.once('SIGINT', () => end().finally(() => process.exit(130)))
  await work({ teardown: (stop) => teardowns.push(stop) }).finally(end)
}

export function printTable(head: string[], rows: string[][]) {
  for (const cells of [head, head.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`)
}
