import { readdir } from 'node:fs/promises'
import type postgres from 'postgres'
import { residentMemory } from '../lib/children.ts'

type Sample = { memory: number; connections: number }

const every = 2_000 // milliseconds

/** How many files and sockets a process has open. */
export const openFiles = async (pid: number | undefined) => (await readdir(`/proc/${pid}/fd`)).length

/** Samples a process periodically until stopped. */
export function watch(pid: number | undefined, sql: postgres.Sql) {
  const samples: Sample[] = []
  let looking: Promise<unknown> = Promise.resolve()
  const look = async () => {
    const [memory, [row]] = await Promise.all([
      residentMemory(pid),
      sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    ])
    samples.push({ memory, connections: row?.count ?? 0 })
  }
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, every)
  return async () => {
    clearInterval(timer)
    await looking
    const third = (n: number) => samples.slice((samples.length * n) / 3, (samples.length * (n + 1)) / 3)
    const mean = (of: (sample: Sample) => number, some: Sample[]) =>
      some.reduce((sum, sample) => sum + of(sample), 0) / some.length
    const growth = (of: (sample: Sample) => number) => mean(of, third(2)) / mean(of, third(1))
    return {
      memory: mean(({ memory }) => memory, third(2)),
      memoryGrowth: growth(({ memory }) => memory),
      connections: Math.max(...samples.map(({ connections }) => connections)),
    }
  }
}
