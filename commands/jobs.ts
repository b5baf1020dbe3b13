import type { JobWithMetadata } from 'pg-boss'
import { deadJobs, queues } from '../plugins/jobs/queues.ts'
import { command, configured, done, logCommand, openApp, Usage } from './command.ts'

const usage = `Usage:
  npm run jobs               lists the mails and other jobs that wait, and those that were given up
  npm run jobs -- retry      queues all that were given up again
  npm run jobs -- run NAME   runs a scheduled job now, such as sweep`

type App = Awaited<ReturnType<typeof openApp>>
type Job = JobWithMetadata<{ job: string; [id: string]: unknown }>

await command({
  usage,
  async run([action = '', name = '', ...rest]) {
    if (rest.length > 0 || !['', 'retry', 'run'].includes(action) || (action === 'run') !== (name !== ''))
      throw new Usage()
    const app = await openApp(await configured())
    if (action === 'run') return run(app, name)
    return action === 'retry' ? retry(app) : list(app)
  },
})

async function run(app: App, name: string) {
  await app.jobs.run(name)
  await logCommand(app, app.db, 'job_run')
  console.log(`${name} is done.`)
  return done
}

async function retry(app: App) {
  await logCommand(app, app.db, 'jobs_retried')
  const boss = await app.jobs.boss()
  let count = 0
  let redriven: number
  do {
    redriven = await boss.redrive(deadJobs)
    count += redriven
  } while (redriven > 0)
  console.log(count === 1 ? '1 job is queued again.' : `${count} jobs are queued again.`)
  return done
}

async function list(app: App) {
  await logCommand(app, app.db, 'jobs_listed') // with addresses
  const boss = await app.jobs.boss()
  const jobsByQueue = await Promise.all(queues.map((name) => boss.findJobs(name, { queued: true })))
  const all = (jobsByQueue.flat() as Job[]).sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime()).map(present)
  const count = (state: string) => all.filter((job) => job.state === state).length
  console.log(
    `${count('queued')} queued, ${count('failed')} failed and waiting for the next try, ${count('dead')} dead`,
  )
  if (all.length > 0) console.table(all)
  return done
}

/** For a dead one, `at` is when it was given up, else when it is tried next. */
function present({ id, name, state, data: { job, ...ids }, ...rest }: Job) {
  const isDead = name === deadJobs
  const output = (isDead ? rest.sourceOutput : rest.output) as { code?: string } | null
  const tries = isDead ? (rest.sourceRetryCount ?? 0) : rest.retryCount
  return {
    id,
    state: isDead ? 'dead' : state === 'retry' ? 'failed' : 'queued',
    job,
    tries: isDead || state === 'retry' ? tries + 1 : 0,
    at: (isDead ? rest.createdOn : rest.startAfter).toISOString(),
    error: output?.code ?? '',
    ids: JSON.stringify(ids),
  }
}
