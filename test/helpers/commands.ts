import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import root, { type Test } from 'tap'
import { startApp } from './app.ts'
import { childEnvironment } from './children.ts'
import type { Asked, Ran } from './command-runner.ts'
import { createDatabase } from './database.ts'

const project = new URL('../../', import.meta.url)
const resolution = `--import=${new URL('../../server/resolution.js', import.meta.url)}`

const environmentOf = (environment: Record<string, string>) => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NODE_ENV: 'production',
  HOST: 'http://localhost:3000',
  SECRET_KEY_BASE: 'what signs the cookies of a test has to be long, and need not be secret',
  ...environment,
})

let runner: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command as in the image, but in a process of all commands of a test file, since loading the application takes
 * longer than most of them. Returns its output and exit code.
 */
export function runCommand(name: string, environment: Record<string, string>, ...words: string[]) {
  const { href: path } = new URL(`commands/${name}.ts`, project)
  const asked: Asked = { path, env: environmentOf(environment), words }
  const running = last.then(() => ask(asked))
  last = running.catch(() => {}) // the next one waits for it
  return running
}

async function ask(asked: Asked): Promise<Ran> {
  runner ??= startRunner()
  const child = runner
  child.send(asked)
  const waiting = new AbortController() // or each command would leave a listener behind
  const { signal } = waiting
  const [answer] = await Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })])
  waiting.abort()
  if (answer?.code === undefined) throw new Error(`the process of the commands ended with ${answer}`)
  return answer
}

function startRunner() {
  const child = fork(new URL('command-runner.ts', import.meta.url), { execArgv: [resolution], env: childEnvironment() })
  root.teardown(() => child.connected && child.disconnect())
  return child
}

type Given = { words?: string[]; input?: string }

/** Runs any script of the project in a process of its own, as in the image. */
export function runScript(path: string, environment: Record<string, string>, given: Given = {}) {
  const { words = [], input = '' } = given
  const options = { env: environmentOf(environment) }
  const parameters = [resolution, fileURLToPath(new URL(path, project)), ...words]
  return new Promise<Ran>((resolve) => {
    const child = execFile(process.execPath, parameters, options, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
    child.stdin?.end(input)
  })
}

/** An application, and the command for its users. */
export async function startCommanded(t: Test) {
  const url = await createDatabase(t)
  const started = await startApp(t, { DATABASE_URL: url })
  return { ...started, url, run: (...words: string[]) => runCommand('users', { DATABASE_URL: url }, ...words) }
}

/** Runs all checks against a database, a new one unless it is given. */
export async function check(t: Test, environment: Record<string, string> = {}) {
  const settings = { DATABASE_URL: environment.DATABASE_URL ?? (await createDatabase(t)), ...environment }
  const { code, out } = await runCommand('check', settings)
  const verdicts = Array.from(out.matchAll(/^(\S+)\s+(\w+): ./gm), ([, verdict, name = '']) => [name, verdict])
  return { code, out, verdicts: Object.fromEntries(verdicts) }
}
