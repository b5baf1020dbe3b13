import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Returns memory that the start left behind to the system: about 60 MiB, mostly space for young objects, which V8 keeps
 * as long as a process is idle. Pauses the process for about 0.1 s, once. Unlike a heap limit on the command line, it
 * lets the heap grow again.
 */
export function releaseMemory() {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  // Keeps a queued tick, and with it its shape, alive: V8 forgets shapes that no object has, and code that has learnt
  // one does not learn another. Every later nextTick would take a slow path, which costs 4 % of a small page.
  process.nextTick(() => {})
  // an ordinary collection keeps that space, only this flavor shrinks it
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
