import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { runCommand, runScript } from '../helpers/commands.ts'
import { createDatabase } from '../helpers/database.ts'
import { defineReport, jobsIn, startJobs, untilJob, wake } from '../helpers/jobs.ts'

t.test('an operator sees what failed or was given up and why, and has all of it tried again', async (t) => {
  const url = await createDatabase(t)
  const { app, db } = await startJobs(t, { url })
  const done: string[] = []
  let isBroken = true
  const report = defineReport(app, async ({ about }) => {
    if (isBroken) throw Object.assign(new Error('refused'), { code: 'EENVELOPE 550' })
    done.push(about)
  })
  const run = (...words: string[]) => runCommand('jobs', { DATABASE_URL: url }, ...words)
  const isDone = async (about: string) => {
    for (let tries = 0; !done.includes(about) && tries < 600; tries++) {
      await wake(db)
      await sleep(50)
    }
    return done.includes(about)
  }

  for (const about of ['Acme', 'Initech']) await report(about)
  await db.execute(sql`update pgboss.job set retry_limit = 0`)
  await app.jobs.startWorkers()
  while ((await jobsIn(db)).filter(({ name }) => name === 'dead_jobs').length < 2) await wake(db)
  await report('Hooli')
  await untilJob(db, { state: 'retry' })

  const { code, out } = await runScript('commands/jobs.ts', { DATABASE_URL: url })
  t.equal(code, 0)
  t.match(out, /^0 queued, 1 failed and waiting for the next try, 2 dead$/m)
  const line = out.split('\n').find((line) => line.includes('Initech'))
  t.match(line, /'dead' +│ 'report' +│ 1 +│ .*'EENVELOPE 550'/)

  isBroken = false
  t.match(await run('retry'), { code: 0, out: '2 jobs are queued again.\n' })
  for (const about of ['Acme', 'Initech']) t.ok(await isDone(about), about)
})

t.test('only a scheduled job is run', async (t) => {
  const run = async (job: string) => runCommand('jobs', { DATABASE_URL: await createDatabase(t) }, 'run', job)
  t.same(await run('sweep'), { code: 0, out: 'sweep is done.\n', err: '' })
  t.same(await run('new_sign_in'), { code: 1, out: '', err: 'the job new_sign_in has no schedule\n' })
})

t.test('invalid arguments exit with 2', async (t) => {
  const run = async (...words: string[]) => runCommand('jobs', { DATABASE_URL: await createDatabase(t) }, ...words)
  for (const words of [['list'], ['run'], ['retry', 'one']])
    t.match(await run(...words), { code: 2, out: '', err: /^Usage:/ })
})
