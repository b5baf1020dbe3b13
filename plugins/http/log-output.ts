import { fstatSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { instrument } from '../instrumentation.ts'

const maxWaitingBytes = 1_048_576
const patienceMs = 2_000

/** A reader that stalls costs lines, never a request. A file is written directly: streams close at an error. */
export function logOutput() {
  const isFile = fstatSync(1).isFile()
  const stdout: NodeJS.WriteStream & { _handle?: { setBlocking?(on: boolean): void } } = process.stdout
  // Lines that waited would be written at once, and where a pipe takes only a part, another process writes into a line.
  // Written by itself, a line of up to 4 KiB is taken whole.
  Object.assign(stdout, { _writev: undefined })
  stdout.on('error', () => {})
  return {
    write(line: string) {
      try {
        // Processes share a pipe, and one that starts or ends lets all of them wait for its reader again. Node lets them
        // wait for a terminal anyway.
        stdout._handle?.setBlocking?.(false)
        if (isFile) writeSync(1, line)
        else if (stdout.writableLength <= maxWaitingBytes) stdout.write(line)
        else instrument('dropped_line', {})
      } catch {
        instrument('dropped_line', {})
      }
    },
  }
}

/** An exit drops lines that wait for a slow reader. One that stalls isn't waited for. */
export const logRead = () =>
  Promise.race([new Promise((resolve) => process.stdout.write('', resolve)), sleep(patienceMs)])
