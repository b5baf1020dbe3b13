import t from 'tap'
import { defineGreeting, greet } from '../../helpers/greeting.ts'
import { forgetEnd, jobsIn, retryNow, startJobs, untilJob } from '../../helpers/jobs.ts'
import { linkIn, startSmtp } from '../../helpers/smtp.ts'

type Given = Parameters<typeof startJobs>[1]

async function startMail(t: Parameters<typeof startJobs>[0], given: Given) {
  const started = await startJobs(t, given)
  defineGreeting(started.app)
  await started.app.jobs.work()
  return started
}

t.test('a queued mail is delivered, and its job holds its ids and nothing else', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startMail(t, { server: smtp.server })
  await greet(app)
  t.equal((await smtp.next()).recipient, 'ana@example.com')
  t.same((await untilJob(db, { state: 'completed' })).data, { job: 'greeting', to: 'ana@example.com' })
})

t.test('a mail that could not be sent is tried again with a new token, and then not any more', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startMail(t, { server: smtp.server })
  smtp.refuse(451)
  await greet(app)
  await untilJob(db, { state: 'retry' })
  smtp.accept()
  await retryNow(db)
  t.match(linkIn(await smtp.next()), /sid=secret-2$/)
  await untilJob(db, { state: 'completed' })
  t.equal(smtp.mails.length, 1)
})

t.test('while the mail server is gone mails wait, and they arrive once it is back', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startMail(t, { server: smtp.server })
  await smtp.stop()
  await greet(app)
  await untilJob(db, { state: 'retry' })
  await smtp.start()
  await retryNow(db)
  t.equal((await smtp.next()).recipient, 'ana@example.com')
  await untilJob(db, { state: 'completed' })
})

t.test('a mail that is refused for good is kept for the operator after its last try', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startMail(t, { server: smtp.server })
  smtp.refuse(550)
  await greet(app)
  for (let tries = 0; tries < 4; tries++) {
    await untilJob(db, { state: 'retry', retry_count: tries })
    await retryNow(db)
  }
  t.match(await untilJob(db, { name: 'dead_jobs' }), { data: { job: 'greeting', to: 'ana@example.com' } })
  await smtp.tried(5)
  t.same(smtp.mails, [])
})

t.test('every attempt has the same Message-ID', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startMail(t, { server: smtp.server })
  await greet(app)
  const first = await smtp.next()
  await forgetEnd(db)
  t.equal((await smtp.next()).messageId, first.messageId)
})

t.test('shutdown lets a mail in progress arrive', async (t) => {
  const smtp = await startSmtp(t)
  const { app } = await startMail(t, { server: smtp.server })
  const release = smtp.hold()
  await greet(app)
  await smtp.tried(1)
  const closed = app.close()
  release()
  t.equal((await smtp.next()).recipient, 'ana@example.com')
  await closed
})

t.test('a mail that no feature defines cannot be queued', async (t) => {
  const { app, db } = await startJobs(t)
  await t.rejects(greet(app), { code: 'UNKNOWN_JOB' })
  t.same(await jobsIn(db), [])
})

t.test('without a mail server the boot warns, and dropped mails are logged with recipient and purpose', async (t) => {
  const { app, db, lines } = await startMail(t, {})
  t.match(lines[0], { level: 40, msg: /^MAILER_HOST is not set/ })
  await greet(app)
  await untilJob(db, { state: 'completed' })
  t.match(lines.at(-2), { level: 30, msg: 'mail dropped', mail: 'greeting', to: 'ana@example.com' })
  t.notMatch(JSON.stringify(lines), /secret/)
})

t.test('a delivery is logged with purpose and domain, a failure with its code', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, lines } = await startMail(t, { server: smtp.server })
  await greet(app)
  await untilJob(db, { state: 'completed' })
  t.match(lines.at(-2), { msg: 'mail delivered', mail: 'greeting', domain: 'example.com' })
  smtp.refuse(550) // and its message has the address
  await greet(app)
  await untilJob(db, { state: 'retry' })
  t.match(lines.at(-1), { msg: 'job failed', job: 'greeting', err: { code: 'EENVELOPE 550' } })
  t.notMatch(JSON.stringify(lines), /secret|ana@/)
  t.notMatch(JSON.stringify(await jobsIn(db)), /secret/)
})

t.test('TLS is used if the server offers it, whatever its certificate', async (t) => {
  const smtp = await startSmtp(t, { tls: true })
  const { app } = await startMail(t, { server: smtp.server })
  await greet(app)
  t.equal((await smtp.next()).encrypted, true)
})

t.test('a password is never sent to an unverified server', async (t) => {
  const smtp = await startSmtp(t, { tls: true, login: { user: 'acme', password: 'open sesame' } })
  const { app, db } = await startMail(t, { server: { ...smtp.server, user: 'acme', password: 'open sesame' } })
  await greet(app)
  await untilJob(db, { state: 'retry' })
  t.same(smtp.logins, [])
})

t.test('the login is sent to a server that requires it, and a rejected one is tried again', async (t) => {
  const smtp = await startSmtp(t, { login: { user: 'acme', password: 'open sesame' } })
  const { app } = await startMail(t, { server: { ...smtp.server, user: 'acme', password: 'open sesame' } })
  await greet(app)
  await smtp.next()
  t.same(smtp.logins, ['acme'])

  const wrong = await startMail(t, { server: { ...smtp.server, user: 'acme', password: 'wrong' } })
  await greet(wrong.app)
  await untilJob(wrong.db, { state: 'retry' })
  t.match(wrong.lines.at(-1), { err: { code: 'EAUTH 535' } })
  t.notMatch(JSON.stringify(wrong.lines), /sesame/)
})
