import t, { type Test } from 'tap'
import { defineGreeting, greet } from '../../helpers/greeting.ts'
import { forgetEnd, jobsIn, retryNow, startJobs, untilJob } from '../../helpers/jobs.ts'
import { linkIn, startSmtp } from '../../helpers/smtp.ts'

const login = { user: 'acme', password: 'open sesame' }

/** A mail server, and what sends mails to it. */
async function startMail(t: Test, options: Parameters<typeof startSmtp>[1] = {}, login?: typeof options.login) {
  const smtp = await startSmtp(t, options)
  return { smtp, ...(await startSending(t, { ...smtp.server, ...login })) }
}

async function startSending(t: Test, server = {}) {
  const started = await startJobs(t, { server })
  defineGreeting(started.app)
  await started.app.jobs.startWorkers()
  return started
}

for (const trouble of ['is gone', 'refuses']) {
  t.test(`while the mail server ${trouble} mails wait, and they arrive once, with a new token`, async (t) => {
    const { app, db, smtp } = await startMail(t)
    await (trouble === 'refuses' ? smtp.refuse(451) : smtp.stop())
    await greet(app)
    await untilJob(db, { state: 'retry' })
    await (trouble === 'refuses' ? smtp.accept() : smtp.start())
    await retryNow(db)
    t.match(linkIn(await smtp.next()), /sid=secret-2$/)
    await untilJob(db, { state: 'completed' })
    t.equal(smtp.mails.length, 1)
  })
}

t.test('without a dialogue, the log and the queue say why: refused, no such name, a certificate', async (t) => {
  const { smtp } = await startMail(t, { tls: true, login })
  await t.test('refused', (t) => failsWith(t, { ...smtp.server, port: 1 }, 'ECONNREFUSED', 'connect ECONNREFUSED'))
  await t.test('no such name', (t) => failsWith(t, { host: 'mail.invalid' }, /ENOTFOUND|EAI_AGAIN/, 'getaddrinfo E'))
  const expired = ['CERT_HAS_EXPIRED', 'certificate has expired'] as const // that of smtp-server
  await t.test('a certificate', (t) => failsWith(t, { ...smtp.server, ...login }, ...expired))
})

async function failsWith(t: Test, server: object, code: string | RegExp, message: string) {
  const { app, db, lines } = await startSending(t, server)
  await greet(app)
  t.match(await untilJob(db, { state: 'retry' }), { output: { code } })
  t.match(lines.at(-1), { err: { code, message: `the mail server failed: ${message}` } })
}

t.test('every attempt has the same Message-ID', async (t) => {
  const { app, db, smtp } = await startMail(t)
  await greet(app)
  const first = await smtp.next()
  await forgetEnd(db)
  t.equal((await smtp.next()).messageId, first.messageId)
})

t.test('shutdown lets a mail in progress arrive', async (t) => {
  const { app, smtp } = await startMail(t)
  const release = smtp.hold()
  await greet(app)
  await smtp.tried(1)
  const closed = app.close()
  release()
  t.equal((await smtp.next()).recipient, 'ana@example.com')
  await closed
})

t.test('without a mail server the boot warns, and dropped mails are logged with recipient and purpose', async (t) => {
  const { app, db, lines } = await startSending(t)
  t.match(lines[0], { level: 40, msg: /^MAILER_HOST is not set/ })
  await greet(app)
  await untilJob(db, { state: 'completed' })
  t.match(lines.at(-2), { level: 30, msg: 'mail dropped', mail: 'greeting', to: 'ana@example.com' })
  t.notMatch(JSON.stringify(lines), /secret/)
})

t.test('a mail is a job with its ids alone; its delivery is logged, or the code of its failure', async (t) => {
  const { app, db, smtp, lines } = await startMail(t)
  await greet(app)
  t.equal((await smtp.next()).recipient, 'ana@example.com')
  t.same((await untilJob(db, { state: 'completed' })).data, { job: 'greeting', to: 'ana@example.com' })
  t.match(lines.at(-2), { msg: 'mail delivered', mail: 'greeting', domain: 'example.com' })
  smtp.refuse(550) // and its message has the address
  await greet(app)
  await untilJob(db, { state: 'retry' })
  t.match(lines.at(-1), { msg: 'job failed', job: 'greeting', err: { code: 'EENVELOPE 550' } })
  t.notMatch(JSON.stringify(lines), /secret|ana@/)
  t.notMatch(JSON.stringify(await jobsIn(db)), /secret/)
})

t.test('TLS is used if the server offers it, whatever its certificate', async (t) => {
  const { app, smtp } = await startMail(t, { tls: true })
  await greet(app)
  t.equal((await smtp.next()).encrypted, true)
})

t.test('a password is never sent to an unverified server', async (t) => {
  const { app, db, smtp } = await startMail(t, { tls: true, login }, login)
  await greet(app)
  await untilJob(db, { state: 'retry' })
  t.same(smtp.logins, [])
})

t.test('the login is sent to a server that requires it, and a rejected one is tried again', async (t) => {
  const { app, smtp } = await startMail(t, { login }, login)
  await greet(app)
  await smtp.next()
  t.same(smtp.logins, ['acme'])

  const wrong = await startSending(t, { ...smtp.server, ...login, password: 'wrong' })
  await greet(wrong.app)
  await untilJob(wrong.db, { state: 'retry' })
  t.match(wrong.lines.at(-1), { err: { code: 'EAUTH 535' } })
  t.notMatch(JSON.stringify(wrong.lines), /sesame/)
})
