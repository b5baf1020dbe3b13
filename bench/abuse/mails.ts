import postgres from 'postgres'
import type { Row } from '../lib/table.ts'
import { Browser, newAddress, password, signUp } from './attacker.ts'
import { atMostRow } from './guesses.ts'
import { type Mailbox, settled } from './mailbox.ts'

const stranger = 'stranger@example.com'
const member = 'member@example.com'

/** A flood of invitations by three users with forty accounts each, and of password resets from sixty clients. */
export async function sendMails(url: string, databaseUrl: string, mailbox: Mailbox): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const startedAt = performance.now()
  let tried = 0
  for (let person = 0; person < 3; person++) {
    const { browser } = await signUp(url, `attacker-${person}@example.com`, 'Win at www.evil.example')
    for (let account = 0; account < 40; account++) {
      const { headers } = await browser.send('POST', '/accounts', {
        body: { name: 'evil.example' },
        from: newAddress(),
      })
      const slug = headers.location?.slice(1)
      if (headers['retry-after'] || !slug) continue
      tried++
      await browser.send('POST', `/${slug}/invitations`, {
        body: { email: stranger, role: 'member' },
        from: newAddress(),
      })
    }
  }
  const invited = await settled(sql, () => mailbox.count(stranger))

  await signUp(url, member)
  await sql`update users set verified = true where email = ${member}`
  await settled(sql, () => 0)
  const before = mailbox.count(member)
  const browser = await Browser.open(url)
  for (let request = 0; request < 60; request++) {
    await browser.send('POST', '/identity/password_reset', { body: { email: member }, from: newAddress() })
  }
  const reset = (await settled(sql, () => mailbox.count(member))) - before
  const noticed = await changePasswords(url, sql, mailbox)
  const seconds = (performance.now() - startedAt) / 1000
  await sql.end()
  const note = `, ${seconds.toFixed(0)} s`
  return [
    atMostRow(`mails that ${tried} invitations brought to one stranger${note}`, invited, 5),
    atMostRow('mails that 60 requests of a reset from 60 clients brought to one address', reset, 10),
    {
      ...atMostRow('mails that a sign-up with a stranger’s address and 25 new passwords brought there', noticed, 1),
      before: '26',
    },
  ]
}

/** The owner of the address never heard of the account, and must not hear of it 25 times. */
async function changePasswords(url: string, sql: postgres.Sql, mailbox: Mailbox) {
  const victim = 'victim-of-mails@example.com'
  const { browser } = await signUp(url, victim, 'customer! Unlock it now: https://evil.example')
  for (let count = 0; count < 25; count++) {
    const [before, after] = [count === 0 ? password : `${password} ${count}`, `${password} ${count + 1}`]
    const body = { password: after, password_confirmation: after, password_challenge: before }
    await browser.send('PATCH', '/settings/password', { body, from: newAddress() })
  }
  return settled(sql, () => mailbox.count(victim))
}
