import { sql } from 'drizzle-orm'
import t from 'tap'
import { observingQueries, type Queries } from '../../../plugins/database.ts'
import { startApp } from '../../helpers/app.ts'
import { startSmtp } from '../../helpers/smtp.ts'
import { defineGreeting, greet } from './mails.ts'

t.test('a mail that is queued in a transaction is delivered after its commit', async (t) => {
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, smtp.environment)
  defineGreeting(app)
  await app.mail.work()

  await greet(app, 'ana@example.com')
  t.equal((await smtp.next()).recipient, 'ana@example.com')
  t.comment('the worker has looked by now, so the next one must have announced itself')
  await greet(app, 'bob@example.com')
  t.equal((await smtp.next()).recipient, 'bob@example.com')
})
