import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { logOutput } from '../plugins/http/log-output.ts'

const levels: Record<string, number> = { fatal: 60, error: 50, warn: 40, info: 30, debug: 20, trace: 10 }

/** Writes log lines in the application's format, for a process that runs without its logger. */
export function createLog(lowest: string) {
  const output = logOutput()
  const from = levels[lowest] ?? Number.POSITIVE_INFINITY // silent
  return (level: 'fatal' | 'error' | 'info', fields: object, msg: string) => {
    const number = levels[level] ?? 0
    if (number < from) return
    const line = { level: number, time: Date.now(), pid: process.pid, hostname: hostname(), ...fields, msg }
    output.write(`${JSON.stringify(line)}\n`)
  }
}

/** The versions of application and Node, logged at each start. */
export function versions(): { version: string; node: string } {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return { version, node: process.versions.node }
}
