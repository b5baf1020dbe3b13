import postgres from 'postgres'
import { Authenticator } from '../../test/helpers/authenticator.ts'
import { countRow, type Row } from '../lib/table.ts'
import { Browser, newAddress, password, signUp } from './attacker.ts'
import { type Mailbox, settled } from './mailbox.ts'

const others = 'another password of theirs'

/** Whether a passkey signs in that was added before the owner verified the address. */
export async function keepAWayIn(url: string, databaseUrl: string, mailbox: Mailbox): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  try {
    const left = countRow('ways in that are left to them after the owner verified and reset', await keep(), 0)
    return [{ ...left, before: '1' }]
  } finally {
    await sql.end()
  }

  async function keep() {
    const email = 'claimed@example.com'
    const { browser } = await signUp(url, email)
    const send = (from: Browser, method: string, path: string, body: object) =>
      from.send(method, path, { body, from: newAddress() })
    const passkey = new Authenticator({ origin: url })
    const { body } = await send(browser, 'POST', '/settings/passkeys/options', { password_challenge: password })
    const options = JSON.parse(body)
    if (options.challenge) await send(browser, 'POST', '/settings/passkeys', { response: passkey.create(options) })

    const owner = await Browser.open(url)
    await owner.send('GET', await mailed(email, '/identity/email_verification'))
    await send(owner, 'POST', '/identity/password_reset', { email })
    const link = await mailed(email, '/identity/password_reset/edit')
    const sid = new URLSearchParams(link.split('?')[1]).get('sid')
    const reset = { sid, password: others, password_confirmation: others }
    await send(owner, 'PATCH', '/identity/password_reset', reset)
    const own = await send(owner, 'POST', '/sign_in', { email, password: others })
    if (own.headers.location === '/sign_in') throw new Error('the owner could not reset the password')

    const guest = await Browser.open(url)
    const asked = JSON.parse((await send(guest, 'POST', '/sign_in/passkey/options', {})).body)
    const { headers } = await send(guest, 'POST', '/sign_in/passkey', { response: passkey.get(asked) })
    return Number(headers.location !== '/sign_in')
  }

  async function mailed(email: string, path: string) {
    const link = await settled(sql, () => mailbox.link(email, path))
    if (!link) throw new Error(`no mail leads to ${path}`)
    return link
  }
}
