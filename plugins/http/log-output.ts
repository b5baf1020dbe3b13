import { fstatSync, writeSync } from 'node:fs'
import { instrument } from '../instrumentation.ts'

const maxWaitingBytes = 1_048_576

/**
 * Standard output. A full disk and a reader that stalls cost lines, which are counted, and never a request. A file is
 * written directly, since a stream stays closed after its first error.
 */
export function logOutput() {
  const isFile = fstatSync(1).isFile()
  process.stdout.on('error', () => {})
  return {
    write(line: string) {
      try {
        if (isFile) return void writeSync(1, line)
      } catch {
        return instrument('dropped_line', {})
      }
      if (process.stdout.writableLength > maxWaitingBytes) return instrument('dropped_line', {})
      process.stdout.write(line)
    },
  }
}
