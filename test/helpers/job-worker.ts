import Fastify from 'fastify'
import database from '../../plugins/database/index.ts'
import jobs from '../../plugins/jobs/index.ts'
import { addressOf } from './address.ts'
import { defineReport, jobsIn } from './jobs.ts'

// A process whose job never ends. It queues one if there is none.

const address = addressOf(process.env.DATABASE_URL ?? '')
const app = Fastify()
await app.register(database, { address, direct: address, pool: 4 })
await app.register(jobs, { address, joinsTransactions: true })
const report = defineReport(app, () => {
  console.log('begun')
  return new Promise(() => {})
})
if ((await jobsIn(app.db)).length === 0) await report('Acme')
await app.jobs.startWorkers()
