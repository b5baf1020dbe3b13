import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../development/free-port.ts'
import { childEnvironment } from '../test/helpers/children.ts'
import type { Owner } from '../test/helpers/owner.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

export const secretKeyBase = 'what signs the cookies of a bench has to be long, and does not have to be secret'

/** The application as in production, in a process of its own. */
export async function startServer(owner: Owner, databaseUrl: string, environment: Record<string, string> = {}) {
  const port = await freePort()
  return startProcess(owner, 'server.ts', {
    NODE_ENV: 'production',
    HOST: `http://127.0.0.1:${port}`,
    BIND: '127.0.0.1',
    PORT: String(port),
    SECRET_KEY_BASE: secretKeyBase,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'fatal',
    ...environment,
  })
}

/** Resolves with the first 200 of /up. */
export async function startProcess(
  owner: Owner,
  script: string,
  environment: { PORT: string; [name: string]: string },
) {
  const startedAt = performance.now()
  const env = { ...childEnvironment(), ...environment }
  const child = spawn(process.execPath, [script], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  async function stop() {
    child.kill('SIGTERM')
    await exited
  }
  owner.teardown(stop)
  const url = `http://127.0.0.1:${environment.PORT}`
  const isUp = () =>
    fetch(`${url}/up`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`${script} did not start`)
    await sleep(5)
  }
  return { url, pid: child.pid as number, startedInMs: performance.now() - startedAt, stop }
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
