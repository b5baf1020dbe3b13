import type { Test } from 'tap'
import { buildApp } from '../../app.ts'
import { loadConfig } from '../../server/config.ts'
import { createDatabase } from './database.ts'
import { collectLines } from './log.ts'

const settings = {
  NODE_ENV: 'test',
  HOST: 'http://localhost:3000',
  SECRET_KEY_BASE: 'a secret for tests, which is long enough to be one: 64 characters and more',
  DATABASE_POOL: '6',
  LOG_LEVEL: 'warn',
  APP_NAME: 'Acme Accounts',
  MAIL_FROM: 'Acme Accounts <accounts@acme.example>',
}

type Given = Pick<
  NonNullable<Parameters<typeof buildApp>[1]>,
  'liveEvery' | 'requestTimeout' | 'deadlines' | 'frontend' | 'logTo' | 'fetch'
>

/** The same application as the server's, on its own database and with a clock that the test controls. */
export async function startApp(t: Test, environment: Record<string, string> = {}, given: Given = {}) {
  const clock = new Clock()
  const database = environment.DATABASE_URL ?? (await createDatabase(t))
  const config = loadConfig({ ...settings, ...environment, DATABASE_URL: database })
  const { lines, logTo } = collectLines()
  const app = await buildApp(config, { now: clock.now, logTo, ...given })
  t.teardown(async () => {
    await app.close()
    if (!t.passing()) console.error(lines.map((line) => JSON.stringify(line)).join('\n')) // why it failed
  })
  return { app, db: app.db, config, clock, url: database }
}

class Clock {
  #ahead = 0
  now = () => new Date(Date.now() + this.#ahead)
  forward = ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) => {
    this.#ahead += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
  }
}
