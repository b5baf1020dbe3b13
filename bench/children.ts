import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const patience = 60_000 // milliseconds; a message that never arrives must not hold up everything

/** A part of the bench in a process of its own, that is asked and answers. */
export function start(script: string) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)))
  const exited = once(child, 'exit')
  /** What it says next. */
  async function answer() {
    const listening = new AbortController()
    const signal = AbortSignal.any([listening.signal, AbortSignal.timeout(patience)])
    const answered = once(child, 'message', { signal }).then(([message]) => message)
    const ended = exited.then(() => {
      throw new Error(`${script} ended early`)
    })
    return Promise.race([answered, ended]).finally(() => listening.abort())
  }
  return {
    pid: child.pid,
    answer,
    say: (message: string | object) => child.send(message),
    ask(question: object) {
      const answered = answer()
      child.send(question)
      return answered
    },
    async stop() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

/** Bytes of memory that a process holds. */
export async function residentMemory(pid: number | undefined) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** Seconds that a process has computed so far, all threads and the kernel included. */
export async function processorTime(pid: number | undefined) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / 100 // told in hundredths
}
