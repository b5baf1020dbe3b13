import { PassThrough } from 'node:stream'
import Fastify from 'fastify'
import type { Test } from 'tap'
import database from '../../../plugins/database/index.ts'
import jobs from '../../../plugins/jobs/index.ts'
import languages from '../../../plugins/languages/index.ts'
import mail, { type MailServer, transportTo } from '../../../plugins/mail/index.ts'
import queues from '../../../plugins/queues/index.ts'
import { addressOf } from '../../helpers/address.ts'
import { createDatabase } from '../../helpers/database.ts'
import { defineGreeting } from './mails.ts'

/** The mail plugin on its own, and its log lines. */
export async function startLogged(t: Test, server: MailServer, { working = true } = {}) {
  const lines: Record<string, unknown>[] = []
  const stream = new PassThrough()
  stream.on('data', (line) => lines.push(JSON.parse(line)))
  const app = Fastify({ logger: { stream } })
  t.teardown(() => app.close())

  const address = addressOf(await createDatabase(t))
  await app.register(database, { address, direct: address, pool: 2 })
  await app.register(queues, { address, beside: true })
  await app.register(jobs)
  await app.register(languages, { tags: [] })
  await app.register(mail, {
    transport: transportTo(server, app.log),
    from: 'accounts@acme.example',
    appName: 'Acme Accounts',
    origin: 'http://localhost:3000',
  })
  defineGreeting(app)
  if (working) await app.mail.work()
  return { app, db: app.db, lines }
}
