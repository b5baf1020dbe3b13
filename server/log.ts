import { hostname } from 'node:os'

const levels: Record<string, number> = { fatal: 60, error: 50, warn: 40, info: 30, debug: 20, trace: 10 }

/** Writes lines like those of the application, for a process that does without its logger: a few in its life. */
export function createLog(lowest: string) {
  const from = levels[lowest] ?? Number.POSITIVE_INFINITY // silent
  return (level: 'fatal' | 'error' | 'info', fields: object, msg: string) => {
    const number = levels[level] ?? 0
    if (number < from) return
    const line = { level: number, time: Date.now(), pid: process.pid, hostname: hostname(), ...fields, msg }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}
