import { Writable } from 'node:stream'

export type Line = { level: number; msg: string; [name: string]: unknown }

/** A stream for the logger, and the lines written to it. */
export function collectLines() {
  const lines: Line[] = []
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  return { lines, logTo }
}
