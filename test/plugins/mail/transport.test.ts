import t from 'tap'
import { startSmtp } from '../../helpers/smtp.ts'
import { jobIs, nextTry } from './jobs.ts'
import { startLogged } from './logs.ts'
import { greet } from './mails.ts'

t.test('TLS is used if the server offers it, whatever its certificate', async (t) => {
  const smtp = await startSmtp(t, { tls: true })
  const { app } = await startLogged(t, smtp.server)
  await greet(app)
  t.equal((await smtp.next()).encrypted, true)
})

t.test('a password is never sent to an unverified server', async (t) => {
  const smtp = await startSmtp(t, { tls: true, login: { user: 'acme', password: 'open sesame' } })
  const { app, db, lines } = await startLogged(t, { ...smtp.server, user: 'acme', password: 'open sesame' })
  await greet(app)
  await nextTry(db)
  t.match(lines, [{ msg: 'mail failed' }])
  t.same(smtp.logins, [])
})

t.test('the login is sent to a server that requires it', async (t) => {
  const smtp = await startSmtp(t, { login: { user: 'acme', password: 'open sesame' } })
  const { app } = await startLogged(t, { ...smtp.server, user: 'acme', password: 'open sesame' })
  await greet(app)
  await smtp.next()
  t.same(smtp.logins, ['acme'])
})

t.test('a rejected login is retried, since an operator can fix it', async (t) => {
  const smtp = await startSmtp(t, { login: { user: 'acme', password: 'open sesame' } })
  const { app, db, lines } = await startLogged(t, { ...smtp.server, user: 'acme', password: 'wrong' })
  await greet(app)
  await nextTry(db)
  t.match(lines, [{ msg: 'mail failed', code: 'EAUTH', responseCode: 535 }])
  t.notMatch(JSON.stringify(lines), /wrong|sesame/)
  t.same(await jobIs(db, 'retry').then(({ data }) => data), { mail: 'greeting', to: 'ana@example.com' })
})
