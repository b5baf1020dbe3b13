import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { startSmtp } from '../../helpers/smtp.ts'
import { forgetDelivery, hurry, jobIs, jobsIn, nextTry } from './jobs.ts'
import { defineGreeting, greet } from './mails.ts'

const linkIn = (text = '') => /https:\S+/.exec(text)?.[0]

async function startWorking(t: Parameters<typeof startSmtp>[0]) {
  const smtp = await startSmtp(t)
  const started = await startApp(t, smtp.environment)
  defineGreeting(started.app)
  await started.app.mail.work()
  return { smtp, ...started }
}

t.test('a temporarily rejected mail is retried until it is accepted, and not again', async (t) => {
  const { app, db, smtp } = await startWorking(t)
  smtp.refuse(451)
  await greet(app)
  await smtp.tried(1)
  await hurry(db)
  await smtp.tried(2)
  smtp.accept()
  await hurry(db)
  await smtp.next()
  t.match(await jobIs(db, 'completed'), { retry_count: 2 })
  t.equal(smtp.mails.length, 1)
})

t.test('a new token is minted for every attempt', async (t) => {
  const { app, db, smtp } = await startWorking(t)
  smtp.refuse(451)
  await greet(app)
  await smtp.tried(1)
  smtp.accept()
  await hurry(db)
  t.equal(linkIn((await smtp.next()).text), 'https://acme.example/door?sid=secret-2')
})

t.test('after five attempts a mail is moved to the dead letters', async (t) => {
  const { app, db, smtp } = await startWorking(t)
  smtp.refuse(451)
  await greet(app)
  for (const tries of [1, 2, 3, 4]) {
    await smtp.tried(tries)
    await hurry(db)
  }
  const { data } = await jobIs(db, 'created', { name: 'mail_dead' })
  t.same(data, { mail: 'greeting', to: 'ana@example.com' })
  t.equal(smtp.tries.length, 5)
})

t.test('retries follow after one, four, fifteen and forty minutes', async (t) => {
  const { app, db, smtp } = await startWorking(t)
  smtp.refuse(451)
  await greet(app)
  const minutes: number[] = []
  for (const tries of [1, 2, 3, 4]) {
    await smtp.tried(tries)
    minutes.push(await nextTry(db))
    await hurry(db)
  }
  t.same(minutes, [1, 4, 15, 40])
})

t.test('a permanently rejected mail is not retried', async (t) => {
  const { app, db, smtp } = await startWorking(t)
  smtp.refuse(550)
  await greet(app)
  t.match(await jobIs(db, 'created', { name: 'mail_dead' }), {
    source_output: { code: 'EENVELOPE', responseCode: 550 },
  })
  t.equal(smtp.tries.length, 1)
})

t.test('a mail is retried if the connection breaks in the middle of it', async (t) => {
  const { app, db, smtp } = await startWorking(t)
  smtp.hangUp()
  await greet(app)
  await jobIs(db, 'retry')
  smtp.accept()
  await hurry(db)
  await smtp.next()
  await jobIs(db, 'completed')
  t.equal(smtp.mails.length, 1)
})

t.test('a mail server that was down between two attempts gets the mail once', async (t) => {
  const { app, db, smtp } = await startWorking(t)
  await smtp.stop()
  await greet(app)
  await hurry(db)
  await jobIs(db, 'retry', { retry_count: 1 })
  await smtp.start()
  await hurry(db)
  await smtp.next()
  await jobIs(db, 'completed')
  t.equal(smtp.mails.length, 1)
})

t.test('a rejected mail neither delays nor repeats the others of its batch', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  defineGreeting(app)
  smtp.refuse(451, 'bad@example.com')
  for (const name of ['ana', 'bad', 'bob', 'cleo']) await greet(app, `${name}@example.com`)
  await app.mail.work()

  await jobIs(db, 'retry')
  for (let mails = 0; mails < 3; mails++) await smtp.next()
  smtp.accept()
  await hurry(db)
  t.equal((await smtp.next()).recipient, 'bad@example.com')
  t.same(smtp.mails.map(({ recipient }) => recipient).sort(), [
    'ana@example.com',
    'bad@example.com',
    'bob@example.com',
    'cleo@example.com',
  ])
})

t.test('every attempt has the same Message-ID', async (t) => {
  const { app, db, smtp } = await startWorking(t)
  await greet(app)
  const first = await smtp.next()
  await forgetDelivery(db)
  t.equal((await smtp.next()).messageId, first.messageId)
  await greet(app)
  t.not((await smtp.next()).messageId, first.messageId)
})

t.test('shutdown lets a mail in progress arrive', async (t) => {
  const { app, smtp, url } = await startWorking(t)
  const release = smtp.hold()
  await greet(app)
  await smtp.tried(1)
  const closed = app.close()
  release()
  await closed
  await smtp.next()

  const { db } = await startApp(t, { DATABASE_URL: url })
  t.match(await jobsIn(db), [{ state: 'completed' }])
})
