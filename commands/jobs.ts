import { fileURLToPath } from 'node:url'
import { readAddress } from '../plugins/database/index.ts'
import { openJobs, type Pending } from '../plugins/mail/jobs.ts'
import { BadConfig, type Config, loadConfig } from '../server/config.ts'

// `npm run jobs`, for operators: what became of the mails that were not delivered.

const usage = `Usage:
  npm run jobs               lists the mails that wait and those that were given up
  npm run jobs -- retry      queues all that were given up again
  npm run jobs -- retry ID   tries one again, within a quarter of a minute`

const stops: (() => Promise<unknown>)[] = []
try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof BadConfig ? error.message : `The queue cannot be read: ${reasonOf(error)}`)
  process.exitCode = 1
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run([command, id, ...rest]: string[]) {
  if ((command !== undefined && command !== 'retry') || rest.length > 0) {
    console.error(usage)
    return 2
  }
  const jobs = await openJobs(await queueOf(loadConfig(process.env)))
  stops.push(jobs.close)

  if (command === undefined) {
    print(await jobs.pending())
    return 0
  }
  if (id === undefined) {
    const count = await jobs.retryDead()
    console.log(count === 1 ? '1 mail is queued again.' : `${count} mails are queued again.`)
    return 0
  }
  const found = await jobs.retry(id)
  console.log(found ? 'The mail is tried again.' : `No mail waits under the id ${id}.`)
  return found ? 0 : 1
}

async function queueOf({ queue, database, production }: Config) {
  if (database.isGiven || !queue.beside || production) return queue.address
  const { startPostgres } = await import('../development/postgres.ts')
  const postgres = await startPostgres({ folder: fileURLToPath(new URL('../.data/postgres', import.meta.url)) })
  stops.push(postgres.stop)
  return readAddress(postgres.url, { variable: 'DATABASE_URL' })
}

function print(pending: Pending[]) {
  const count = (state: Pending['state']) => pending.filter((job) => job.state === state).length
  console.log(
    `${count('queued')} queued, ${count('failed')} failed and waiting for the next try, ${count('dead')} dead`,
  )
  if (pending.length === 0) return
  const rows = pending.map(({ id, state, mail, tries, at, error, ids }) => [
    id,
    state,
    mail,
    String(tries),
    at.toISOString().slice(0, 19).replace('T', ' '),
    error ?? '',
    JSON.stringify(ids),
  ])
  const table = [['ID', 'STATE', 'MAIL', 'TRIES', 'NEXT TRY, OR DEAD SINCE (UTC)', 'LAST ERROR', 'IDS'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  console.log(
    `\n${table
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
      )
      .join('\n')}`,
  )
}

function reasonOf(error: unknown) {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}
