import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { buildApp } from '../../app.ts'
import { migrate } from '../../drizzle/migrate.ts'
import { loadConfig } from '../../server/config.ts'
import { buildWhatIsStale } from '../build.ts'
import { freePort } from '../free-port.ts'
import { startCatcher } from '../inbox/catcher.ts'
import { openLetters } from '../inbox/letters.ts'
import { startPostgres } from '../postgres/index.ts'
import { populate } from './populate.ts'

/** The application as deployed, with people, on its own database. */
export async function startWorld(folder: string) {
  await buildWhatIsStale()
  const postgres = await startPostgres({ folder })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const letters = openLetters(join(folder, 'letters'))
  const smtp = await startCatcher(letters.keep)
  const config = loadConfig({
    NODE_ENV: 'test',
    HOST: origin,
    PORT: String(port),
    SECRET_KEY_BASE: 'a secret of pictures, which is long enough to be one: 64 characters and more',
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'silent',
    SSR_ENABLED: 'true',
    SSR_TIMEOUT_MS: '15000',
    SESSION_IDLE: '398d',
    MAILER_HOST: smtp.host,
    MAILER_PORT: String(smtp.port),
  })
  await migrate(config.database.direct, console.log)
  const app = await buildApp(config)
  await app.listen({ port, host: 'localhost' })

  /** Delivers all mails, and returns those with these words in their subject, in the same order. */
  async function collectMail(wanted: { piece: string; to?: string }[]) {
    await app.jobs.work()
    for (;;) {
      const all = await letters.all()
      const found = wanted.map(({ piece, to }) =>
        all.find((mail) => mail.subject?.includes(piece) && (!to || mail.to?.[0]?.address === to)),
      )
      if (found.every((letter) => letter !== undefined)) return found
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  async function end() {
    await app.close()
    await smtp.stop()
    await postgres.stop()
  }

  return { app, origin, populate: (browser: Browser) => populate(browser, app, origin), collectMail, end }
}
