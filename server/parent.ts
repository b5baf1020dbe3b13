import { textOf } from '../plugins/files.ts'
import { isClosing } from './shutdown.ts'

const intervalMs = 1_000

/** Begins to stop, unless that has begun: a second signal would end this process at once. */
export const stopOnce = () => {
  if (!isClosing()) process.kill(process.pid, 'SIGTERM')
}

/**
 * Stops when the npm that started this process has ended, in whatever way: killed, it passes nothing on, and its shell,
 * which stands in between, never does. Anything else that starts us, such as a container, sends signals.
 */
export function endWithNpm({ npm_lifecycle_event: script }: NodeJS.ProcessEnv) {
  if (script === undefined) return
  const parent = process.ppid
  const shell = /^\((\w*sh|busybox)\)$/.test(statOf(parent)?.name ?? '') ? parent : undefined
  const above = shell && statOf(shell)?.parent
  const timer = setInterval(() => {
    if (process.ppid === parent && (shell === undefined || statOf(shell)?.parent === above)) return
    clearInterval(timer)
    stopOnce()
  }, intervalMs)
  timer.unref()
}

/** Name and parent of a process. Linux only: elsewhere shells replace themselves with the last command. */
function statOf(pid: number) {
  const [, name, parent] = /^\d+ (\(.*\)) \S (\d+)/s.exec(textOf(`/proc/${pid}/stat`) ?? '') ?? []
  return name === undefined ? undefined : { name, parent: Number(parent) }
}
