import { buildApp } from '../../../app.ts'
import { loadConfig } from '../../../server/config.ts'
import { defineReport } from './report.ts'

// A process that begins reports and never ends them, for tests that kill it.

const app = await buildApp(loadConfig(process.env))
defineReport(app, () => {
  process.send?.('begun')
  return new Promise(() => {})
})
await app.jobs.work()
