import { openJobs, type Pending } from '../plugins/queues/operator.ts'
import { onShutdown } from '../server/shutdown.ts'
import { command, configured, done, notPossible, Usage } from './command.ts'

// `npm run jobs`, for operators: lists and retries undelivered mails and other jobs.

const usage = `Usage:
  npm run jobs               lists the mails and other jobs that wait, and those that were given up
  npm run jobs -- retry      queues all that were given up again
  npm run jobs -- retry ID   tries one again, within a quarter of a minute`

await command({
  usage,
  async run([action, id, ...rest]) {
    if ((action !== undefined && action !== 'retry') || rest.length > 0) throw new Usage()
    const { queue } = await configured()
    const jobs = await openJobs(queue.address, queue.profile).catch(({ code, message }) => {
      throw new Error(`The queue cannot be read: ${code ?? message}`)
    })
    onShutdown(jobs.close)

    if (action === undefined) {
      print(await jobs.pending())
      return done
    }
    if (id === undefined) {
      const count = await jobs.retryDead()
      console.log(count === 1 ? '1 job is queued again.' : `${count} jobs are queued again.`)
      return done
    }
    const found = await jobs.retry(id)
    console.log(found ? 'The job is tried again.' : `No job with the ID ${id}.`)
    return found ? done : notPossible
  },
})

function print(pending: Pending[]) {
  const count = (state: Pending['state']) => pending.filter((job) => job.state === state).length
  console.log(
    `${count('queued')} queued, ${count('failed')} failed and waiting for the next try, ${count('dead')} dead`,
  )
  if (pending.length === 0) return
  const rows = pending.map(({ id, state, name, tries, at, error, ids }) => [
    id,
    state,
    name,
    String(tries),
    at.toISOString().slice(0, 19).replace('T', ' '),
    error ?? '',
    JSON.stringify(ids),
  ])
  const table = [['ID', 'STATE', 'MAIL OR JOB', 'TRIES', 'NEXT TRY, OR DEAD SINCE (UTC)', 'LAST ERROR', 'IDS'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  console.log(`\n${lines.map((line) => line.trimEnd()).join('\n')}`)
}
