import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { register } from '../helpers/authenticator.ts'
import { password } from '../helpers/people.ts'
import { forgetMails, linksIn } from '../helpers/records.ts'
import { enable, withSecondFactor } from '../helpers/second-factors.ts'
import { startSmtp } from '../helpers/smtp.ts'

t.test('changes of sign-in methods are mailed to the verified address, without links that act', async (t) => {
  const smtp = await startSmtp(t)
  const { app, clock, db } = await startApp(t, smtp.environment)
  const { browser, person, user, halfway, recoveryCodes } = await withSecondFactor({ app, clock })
  const challenge = { password_challenge: password }
  const [{ id }] = (await register(browser)).props.passkeys
  await forgetMails(db)

  await register(browser)
  await browser.submit('DELETE', `/settings/passkeys/${id}`, challenge)
  await (await halfway()).submit(recoveryCodes[0])
  await browser.submit('DELETE', '/settings/second_factor', challenge)
  const { secret } = await enable(browser, { clock })

  await app.jobs.work()
  const mails = []
  while (mails.length < 6) mails.push(await smtp.next())
  t.same(mails.map(({ subject }) => subject).sort(), [
    'A passkey was added',
    'A passkey was removed',
    'A recovery code was used',
    'New sign-in to Acme Accounts',
    'Two-factor authentication is off',
    'Two-factor authentication is on',
  ])
  for (const { subject, to, text, html, source } of mails) {
    t.equal(to?.[0]?.address, person.email, `${subject}`)
    t.match(text, `Hello ${user.name},`)
    t.same(linksIn(html), ['http://localhost:3000/', 'http://localhost:3000/settings/sessions'], 'none that acts')
    t.match(text, /^Time: .+ UTC\nDevice: .+\nIP address: [\d.]+$/m)
    for (const word of [secret, ...recoveryCodes]) t.notOk(source.includes(word))
  }
})
