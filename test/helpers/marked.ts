import { readdir, readFile } from 'node:fs/promises'

/**
 * Processes that inherited a variable, and so all that were started by one, however far away. Linux only: elsewhere
 * none is found.
 */
export async function processesWith(variable: string) {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      if (!environment.split('\0').includes(variable)) return []
      const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim()
      return [{ pid: Number(pid), command }]
    }),
  )
  return found.flat()
}
