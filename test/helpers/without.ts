import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { readModules, root } from '../../development/graph/modules.ts'
import { everyFile, isOf, isTable, readOptions } from '../../development/without/options.ts'
import { planWithout } from '../../development/without/plan.ts'
import { childEnvironment } from './children.ts'

/** The options that are features, and a function that runs tests in a process without some of them. */
export function withoutOptions(server: { url: string }) {
  const [modules, files] = [readModules(), everyFile()]
  const options = readOptions(modules, files).filter((option) =>
    option.files.some((file) => file.startsWith('features/')),
  )

  function planOf(out: string[]) {
    const own = files.filter((file) => out.some((name) => isOf(name, file)))
    const { changed, gone, broken } = planWithout(
      own.filter((file) => !isTable(file)),
      modules,
      own.filter(isTable),
    )
    if (broken.length > 0) throw new Error(JSON.stringify(broken))
    return { changed: [...changed], gone: [...gone] }
  }

  /** Returns what they complain of, if anything. */
  async function run(out: string[], tests: string[], environment: Record<string, string> = {}) {
    const env = { ...childEnvironment(), TEST_SERVER: server.url, TAP_TIMEOUT: '600', ...environment }
    const parameters = ['--import=./test/preload.ts', 'test/helpers/taken-out.ts']
    const child = spawn(process.execPath, parameters, { cwd: root, env })
    child.stdin.end(JSON.stringify({ ...planOf(out), tests }))
    const [[code], said, complaint] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    return code === 0 ? undefined : `${said}${complaint}`
  }
  return { modules, options, run }
}
