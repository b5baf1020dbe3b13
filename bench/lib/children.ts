import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const usual = 60_000 // milliseconds; a lost message must not block the whole run

/** A part of the benchmark in a separate process, controlled by messages. */
export function start(script: string) {
  const child = fork(fileURLToPath(new URL(`../${script}`, import.meta.url)))
  const exited = once(child, 'exit')
  /** Its next message. */
  async function answer({ timeoutMs = usual } = {}) {
    const listening = new AbortController()
    const signal = AbortSignal.any([listening.signal, AbortSignal.timeout(timeoutMs)])
    const answered = once(child, 'message', { signal }).then(([message]) => message)
    const ended = exited.then(() => {
      throw new Error(`${script} ended early`)
    })
    return Promise.race([answered, ended]).finally(() => listening.abort())
  }
  return {
    pid: child.pid,
    answer,
    send: (message: string | object) => child.send(message),
    request(question: object, options?: { timeoutMs: number }) {
      const answered = answer(options)
      child.send(question)
      return answered
    },
    async stop() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

/** Resident memory of a process, in bytes. */
export async function residentMemory(pid: number | undefined) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** CPU time of a process so far in seconds, including all threads and the kernel. */
export async function processorTime(pid: number | undefined) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / 100 // the unit is hundredths of a second
}
