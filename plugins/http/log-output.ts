import { constants, fstatSync, openSync } from 'node:fs'
import sonicBoom, { type SonicBoom } from 'sonic-boom'
import { instrument } from '../instrumentation.ts'

const maxBufferedBytes = 1_048_576 // in lines that wait to be written
const flushTimeoutMs = 500 // how long the exit waits for a slow reader

/**
 * Standard output for log lines. It is buffered, since writing each line separately would block the event loop, and
 * nothing ever waits for it: while a disk is full, or nobody reads, the oldest MiB of lines are kept, the others are
 * dropped and counted.
 */
export function logOutput() {
  output ??= createOutput()
  return output
}

let output: SonicBoom | undefined

function createOutput() {
  const output = new sonicBoom.SonicBoom({
    fd: standardOutput(),
    sync: false,
    minLength: 4096,
    periodicFlush: 250,
    maxLength: maxBufferedBytes,
    retryEAGAIN: () => false, // the next line and the next flush retry; a retry at the exit would be endless
  })
  output.on('drop', () => instrument('dropped_line', {}))
  output.on('error', () => {}) // what could not be written stays in the buffer
  process.once('exit', () => flush(output))
  return output
}

/**
 * A write to a pipe that nobody reads must not keep a thread, and with it the exit. The processes of a cluster share
 * one pipe, and each makes it blocking again for the others when it ends, so each opens it for itself, where it may.
 */
function standardOutput() {
  void process.stdout // makes a pipe non-blocking
  try {
    if (fstatSync(1).isFIFO()) return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    // another system, or the pipe of another user
  }
  return 1
}

function flush(output: SonicBoom) {
  const end = performance.now() + flushTimeoutMs
  do {
    try {
      return output.flushSync()
    } catch {
      Atomics.wait(pause, 0, 0, 10)
    }
  } while (performance.now() < end)
}

const pause = new Int32Array(new SharedArrayBuffer(4))
