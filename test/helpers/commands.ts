import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { startApp } from './app.ts'
import { createDatabase } from './database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const resolution = `--import=${new URL('../../server/resolution.js', import.meta.url)}`

/** Runs a command as in the image. Returns its output and exit code. */
export const runCommand = (name: string, environment: Record<string, string>, ...words: string[]) =>
  runScript(`commands/${name}.ts`, environment, { words })

type Given = { words?: string[]; input?: string }

/** The same for any script of the project. */
export function runScript(path: string, environment: Record<string, string>, given: Given = {}) {
  const { words = [], input = '' } = given
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    NODE_ENV: 'production',
    HOST: 'http://localhost:3000',
    SECRET_KEY_BASE: 'what signs the cookies of a test has to be long, and need not be secret',
    ...environment,
  }
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(process.execPath, [resolution, `${root}${path}`, ...words], { env }, (_error, out, err) =>
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
