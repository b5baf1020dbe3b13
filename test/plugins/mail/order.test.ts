import { sql } from 'drizzle-orm'
import t from 'tap'
import { text } from '../../../plugins/languages/index.ts'
import { startApp } from '../../helpers/app.ts'
import { startSmtp } from '../../helpers/smtp.ts'
import { jobIs, jobsIn } from './jobs.ts'
import { startLogged } from './logs.ts'
import { defineGreeting, greet } from './mails.ts'

const reset = 'password_reset'

t.test('awaited mails are sent before others, and invitations last', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, { ...smtp.environment, MAILER_CONNECTIONS: '1' })
  defineGreeting(app)
  await db.execute(sql`
    insert into users (name, email, verified, password_digest) values ('Ana', 'ana@example.com', true, '')`)
  await db.transaction(async (tx) => {
    for (let n = 0; n < 20; n++) await app.mail.queue(tx, 'account_invitation', { invitationId: n })
    for (let n = 0; n < 4; n++) await app.mail.queue(tx, 'greeting', { to: `${n}@example.com` })
    for (let n = 0; n < 4; n++) await app.mail.queue(tx, reset, { email: 'ana@example.com' })
  })
  await app.mail.work()
  for (let n = 0; n < 8; n++) await smtp.next()

  await jobIs(db, 'completed')
  while ((await jobsIn(db)).some(({ state }) => state !== 'completed')) await jobIs(db, 'completed')
  const started = await db.execute<{ mail: string }>(sql`
    select data->>'mail' as mail from pgboss.job where name = 'mail' order by started_on, priority desc`)
  // Two batches of five start at once, and either can be first.
  const first = started.slice(0, 10).map(({ mail }) => mail)
  const count = (mail: string) => first.filter((one) => one === mail).length
  t.same([count(reset), count('greeting'), count('account_invitation')], [4, 4, 2])
})

t.test('a mail that has waited longer than its link is valid is not sent', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, lines } = await startLogged(t, smtp.server, { working: false })
  app.mail.define('account_invitation', {
    lifetimeMs: 20 * 60_000,
    compose: async () => ({ to: 'late@example.com', subject: text('Late'), heading: text('Late'), paragraphs: [] }),
  })
  const invite = () => db.transaction((tx) => app.mail.queue(tx, 'account_invitation', { invitationId: 1 }))
  await invite()
  await db.execute(sql`update pgboss.job set created_on = created_on - interval '20 minutes' where name = 'mail'`)
  await greet(app)
  await db.execute(
    sql`update pgboss.job set created_on = created_on - interval '6 days' where data->>'mail' = 'greeting'`,
  )
  await app.mail.work()
  t.equal((await smtp.next()).recipient, 'ana@example.com', 'a mail without a link is never too late')
  while ((await jobsIn(db)).some(({ state }) => state !== 'completed')) await jobIs(db, 'completed')
  t.match(
    lines.filter(({ msg }) => msg === 'mail expired'),
    [{ level: 40, mail: 'account_invitation' }],
  )

  await invite()
  t.equal((await smtp.next()).recipient, 'late@example.com', 'one that is in time is sent')
  t.equal(smtp.tries.length, 2)
})

t.test('a reset that nobody waits for any more is not sent, and one that is asked for anew is', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  await db.execute(sql`
    insert into users (name, email, verified, password_digest)
    values ('Ana', 'ana@example.com', true, ''), ('Bo', 'bo@example.com', true, '')`)
  const ask = (email: string) => db.transaction((tx) => app.mail.queue(tx, reset, { email }))
  await ask('ana@example.com')
  await db.execute(sql`update pgboss.job set created_on = created_on - interval '20 minutes' where name = 'mail'`)
  await ask('bo@example.com')
  await app.mail.work()
  t.equal((await smtp.next()).recipient, 'bo@example.com')
  while ((await jobsIn(db)).some(({ state }) => state !== 'completed')) await jobIs(db, 'completed')
  t.same(smtp.tries, ['bo@example.com'])
})

for (const connections of [1, 3]) {
  t.test(`MAILER_CONNECTIONS=${connections}: no more are open at once`, async (t) => {
    const smtp = await startSmtp(t)
    const { app } = await startApp(t, { ...smtp.environment, MAILER_CONNECTIONS: String(connections) })
    defineGreeting(app)
    const release = smtp.hold()
    for (let n = 0; n < 10; n++) await greet(app, `${n}@example.com`)
    await app.mail.work()
    await smtp.tried(connections)
    release()
    for (let n = 0; n < 10; n++) await smtp.next()
    t.equal(smtp.mostConnections, connections)
  })
}

t.test('MAILER_RATE bounds the mails of a second', async (t) => {
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, { ...smtp.environment, MAILER_RATE: '2' })
  defineGreeting(app)
  for (let n = 0; n < 3; n++) await greet(app, `${n}@example.com`)
  const start = performance.now()
  await app.mail.work()
  for (let n = 0; n < 3; n++) await smtp.next()
  t.ok(performance.now() - start > 990, 'the third waits for a second')
})
