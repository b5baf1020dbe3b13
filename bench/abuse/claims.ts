import postgres from 'postgres'
import { countRow, type Row } from '../lib/table.ts'
import { Browser, newAddress, password, signUp } from './attacker.ts'
import { type Mailbox, settled } from './mailbox.ts'

const others = 'another password of theirs'

/** What someone achieves who signs up with an address before its owner does. */
export async function claimFirst(url: string, databaseUrl: string, mailbox: Mailbox): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  try {
    return [
      {
        ...countRow('the owner signs up after the address was changed away and back six times', await hold(), 1),
        before: '0',
      },
    ]
  } finally {
    await sql.end()
  }

  async function hold() {
    const email = 'blocked@example.com'
    const { browser } = await signUp(url, email)
    const first = (await settled(sql, () => mailbox.link(email, '/identity/not_mine'))) ?? ''
    for (let change = 0; change < 12; change++) {
      const body = { password_challenge: password, email: change % 2 ? email : 'away@example.com' }
      await browser.send('PATCH', '/settings/email', { body, from: newAddress() })
    }
    const [held] = await sql`select from users where email = ${email}`
    if (!held) throw new Error('the address was not changed back')
    const owner = await Browser.open(url)
    const sid = new URLSearchParams(first.split('?')[1]).get('sid') ?? ''
    await owner.send('POST', '/identity/not_mine', { body: { sid }, from: newAddress() })
    const person = { name: 'The owner', email, password: others, password_confirmation: others }
    const { headers } = await owner.send('POST', '/sign_up', { body: person, from: newAddress() })
    return Number(headers.location !== '/sign_up')
  }
}
