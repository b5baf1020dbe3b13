import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../development/free-port.ts'
import { childEnvironment } from './children.ts'
import { processesWith } from './marked.ts'
import type { Owner } from './owner.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** A fresh copy of the project in a private folder, as after `git clone`, with the packages of this one. */
export async function cloneProject(t: Owner) {
  const parent = await mkdtemp(join(tmpdir(), 'accounts-clone-'))
  await chmod(parent, 0o700)
  const folder = join(parent, 'accounts')
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
  })
  for (const name of stdout.split('\0').filter(Boolean)) {
    await cp(join(project, name), join(folder, name), { preserveTimestamps: true }).catch(() => {}) // deleted
  }
  for (const name of ['node_modules', 'build']) await symlink(join(project, name), join(folder, name))
  t.teardown(() => rm(parent, { recursive: true, force: true }))
  return {
    folder,
    git: (...args: string[]) =>
      run('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args], { cwd: folder }),
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    /** Writes into the file. */
    write: (name: string, text: string) => writeFile(join(folder, name), text),
    /** Puts another file in its place, as many editors do. */
    async replace(name: string, text: string) {
      const draft = join(folder, `${name}.${randomUUID()}~`)
      await writeFile(draft, text)
      await rename(draft, join(folder, name))
    },
    /** Runs a script of package.json. */
    start: (script: string, environment: Record<string, string> = {}, terminal = false) =>
      startScript(t, folder, script, environment, terminal),
  }
}

async function startScript(
  t: Owner,
  folder: string,
  script: string,
  environment: Record<string, string>,
  terminal: boolean,
) {
  const port = await freePort()
  const mark = `RUN_OF_A_TEST=${randomUUID()}`
  const { HOME, NODE_COMPILE_CACHE = join(tmpdir(), 'node-compile-cache') } = process.env
  const [name = '', value = ''] = mark.split('=')
  const command = terminal
    ? ['script', '--quiet', '--command', `npm run ${script}`, '/dev/null']
    : ['npm', 'run', script]
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...childEnvironment(),
      HOME,
      NODE_COMPILE_CACHE,
      // outside of the private folder, for the database that may not look into it
      TMPDIR: tmpdir(),
      PORT: String(port),
      LOG_LEVEL: 'warn',
      [name]: value,
      ...environment,
    },
  })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += chunk))
  const running = () => processesWith(mark)
  const untilGone = async () => {
    while ((await running()).length > 0) await sleep(50)
  }
  t.teardown(async () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    await Promise.race([untilGone(), sleep(15_000)])
    for (const { pid } of await running()) kill(pid, 'SIGKILL')
  })
  const get = async (path: string, accept = 'text/html') => {
    const response = await fetch(`http://localhost:${port}${path}`, { headers: { accept, connection: 'close' } })
    return { status: response.status, text: await response.text() }
  }
  return {
    pid: child.pid ?? 0,
    port,
    output,
    get,
    running,
    untilGone,
    /** The pid of the process with these words in its command. */
    async find(words: string) {
      const found = (await running()).find(({ command }) => command.includes(words))
      if (!found) throw new Error(`there is no ${words}`)
      return found.pid
    },
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

export function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended meanwhile
  }
}
