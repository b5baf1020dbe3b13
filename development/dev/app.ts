import type { Writable } from 'node:stream'
import { buildApp } from '../../app.ts'
import { loadConfig } from '../../server/config.ts'
import { prepare } from '../../server/prepare.ts'
import { startStandIns } from '../stand-ins.ts'
import { frontendOf, type Render } from './frontend.ts'

// The server of `npm run dev`. Vite loads it, and everything that it imports, anew after each change.

type Given = { environment: NodeJS.ProcessEnv; render: Render; logTo: Writable; examples: boolean }

/** An application that answers requests and works on jobs, on a migrated database. */
export async function start({ environment, render, logTo, examples }: Given) {
  const loaded = loadConfig(environment)
  await prepare(loaded)
  const { config, register } = await startStandIns(loaded)
  const { migrateExamples, examples: added } = examples ? await import('../../examples/index.ts') : {}
  await migrateExamples?.(config.database.direct)
  const app = await buildApp(config, { frontend: frontendOf(render), logTo, ...added })
  await register(app)
  await app.ready()
  await app.jobs.startWorkers()
  return app
}
