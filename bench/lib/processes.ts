import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../development/free-port.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Starts the application as in production: settings, logging, a separate process. */
export async function startApplication(databaseUrl: string, environment: Record<string, string> = {}) {
  const port = await freePort()
  return startProcess('server.ts', port, {
    NODE_ENV: 'production',
    HOST: `http://127.0.0.1:${port}`,
    BIND: '127.0.0.1',
    SECRET_KEY_BASE: 'what signs the cookies of a bench has to be long, and need not be secret',
    DATABASE_URL: databaseUrl,
    ...environment,
  })
}

export async function startCeiling(databaseUrl: string) {
  return startProcess('bench/lib/ceiling.ts', await freePort(), { DATABASE_URL: databaseUrl })
}

/** Resolves with the first response of /up. */
async function startProcess(script: string, port: number, environment: Record<string, string>) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [script], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(`${url}/up`))) {
    if (child.exitCode !== null) throw new Error(`${script} did not start`)
    await sleep(5)
  }
  return {
    url,
    pid: child.pid,
    startedIn: performance.now() - startedAt,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
