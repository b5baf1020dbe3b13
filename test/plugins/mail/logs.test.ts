import t from 'tap'
import { startSmtp } from '../../helpers/smtp.ts'
import { jobIs, nextTry } from './jobs.ts'
import { startLogged } from './logs.ts'
import { greet } from './mails.ts'

t.test('without a mail server the boot warns, and dropped mails are logged with recipient and purpose', async (t) => {
  const { app, db, lines } = await startLogged(t, { port: 587 })
  t.match(lines, [{ level: 40, msg: /MAILER_HOST/ }])

  await greet(app)
  await jobIs(db, 'completed')
  t.match(lines[1], { level: 30, msg: 'mail dropped', mail: 'greeting', to: 'ana@example.com' })
  t.notMatch(JSON.stringify(lines), /secret|door|Hello/)
})

t.test('a delivery is one line with purpose and domain, never the link or the address', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, lines } = await startLogged(t, smtp.server)
  await greet(app)
  await jobIs(db, 'completed')
  t.match(lines, [{ level: 30, msg: 'mail delivered', mail: 'greeting', domain: 'example.com' }])
  t.notMatch(JSON.stringify(lines), /secret|door|Hello|ana@/)
})

t.test("a failure is one line with codes, never the mail server's message", async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, lines } = await startLogged(t, smtp.server)
  smtp.refuse(451)
  await greet(app)
  await nextTry(db)
  const expected = {
    level: 40,
    msg: 'mail failed',
    mail: 'greeting',
    domain: 'example.com',
    try: 1,
    code: 'EENVELOPE',
    responseCode: 451,
  }
  t.match(lines, [expected])
  t.notMatch(JSON.stringify(lines), /refused|secret|door|ana@/)
})

t.test('a mail that is given up is logged as an error', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, lines } = await startLogged(t, smtp.server)
  smtp.refuse(550)
  await greet(app)
  await jobIs(db, 'created', { name: 'mail_dead' })
  t.match(lines, [{ level: 50, msg: 'mail given up', mail: 'greeting', responseCode: 550 }])
})
