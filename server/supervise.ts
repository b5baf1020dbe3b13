import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Config } from './config.ts'

/** Serves with several processes, replaces one that dies, and returns what ends them all. */
export function supervise(config: Config) {
  // What the boot made up (a secret, an embedded database) must be the same in every process.
  const environment = { SECRET_KEY_BASE: config.secretKeyBase, DATABASE_URL: config.database.url }
  let stopping = false

  const fork = () => {
    const bornAt = Date.now()
    cluster.fork(environment).once('exit', () => {
      if (stopping) return
      // A process that dies at once would die again at once.
      setTimeout(() => stopping || fork(), Date.now() - bornAt < 1_000 ? 1_000 : 0)
    })
  }
  for (let process = 0; process < config.processes; process++) fork()

  return async () => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined)
    const exits = workers.map((worker) => once(worker, 'exit'))
    for (const worker of workers) worker.process.kill('SIGTERM')
    await Promise.all(exits)
  }
}
