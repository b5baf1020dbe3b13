import type { Test } from 'tap'
import { buildApp } from '../../app.ts'
import { freePort } from '../../development/free-port.ts'
import { startStandIns } from '../../development/stand-ins.ts'
import { loadConfig } from '../../server/config.ts'
import { configs, settings } from './app.ts'
import { createDatabase } from './database.ts'

export const port = await freePort()
export const origin = `http://localhost:${port}`

/** The application with what stands in for other people's servers in development. */
export async function startWithStandIns(t: Test, environment: Record<string, string>) {
  const given = { HOST: origin, PORT: String(port), LOG_LEVEL: 'silent', MAILER_HOST: '127.0.0.1' }
  const loaded = loadConfig({ ...settings, ...given, DATABASE_URL: await createDatabase(t), ...environment })
  const { config, register } = await startStandIns(loaded)
  const app = await buildApp(config, { maxEventLoopDelayMs: 0 }) // other tests keep the machine busy
  configs.set(app, config)
  t.teardown(() => app.close())
  await register(app)
  return { app, loaded, config }
}
