import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../development/free-port.ts'
import { childEnvironment } from './children.ts'
import type { Owner } from './owner.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** A fresh copy of the project, as after `git clone`, with the packages of this one. */
export async function cloneProject(t: Owner) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-clone-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await chmod(folder, 0o755)
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', list, { cwd: project })
  for (const name of stdout.split('\0').filter(Boolean)) {
    await cp(join(project, name), join(folder, name), { preserveTimestamps: true }).catch(() => {}) // deleted
  }
  await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder })
  for (const name of ['node_modules', 'build']) await symlink(join(project, name), join(folder, name))
  return {
    folder,
    git: (...args: string[]) =>
      run('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args], { cwd: folder }),
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    write: (name: string, text: string) => writeFile(join(folder, name), text),
    /** Puts another file in its place, as many editors do. */
    async replace(name: string, text: string) {
      await writeFile(join(folder, `${name}~`), text)
      await rename(join(folder, `${name}~`), join(folder, name))
    },
    start: (script: string, environment: Record<string, string> = {}, command = ['npm', 'run', script]) =>
      startCommand(t, folder, environment, command),
  }
}

async function startCommand(t: Owner, folder: string, environment: Record<string, string>, command: string[]) {
  const port = await freePort()
  const own = { HOME: process.env.HOME, PORT: String(port), LOG_LEVEL: 'warn' }
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: folder, env: { ...childEnvironment(), ...own, ...environment } })
  const exit = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await exit
  })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += chunk))
  const get = async (path: string, accept = 'text/html') => {
    const response = await fetch(`http://localhost:${port}${path}`, { headers: { accept, connection: 'close' } })
    return { status: response.status, text: await response.text() }
  }
  return {
    origin: `http://localhost:${port}`,
    output,
    exit,
    get,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    async until(path: string, isIt: (text: string) => boolean) {
      for (;;) {
        const answer = await get(path).catch(() => undefined)
        if (answer && isIt(answer.text)) return answer
        if (child.exitCode !== null) throw new Error(output.text)
        await sleep(20)
      }
    },
  }
}
