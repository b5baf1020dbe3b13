import { countRow, type Row } from '../lib/table.ts'
import { Browser, newAddress, password, signUp } from './attacker.ts'

/**
 * 300 wrong passwords for one address from as many clients, a third of them concurrently, then the same in the owner's
 * browser.
 */
export async function guessOneAccount(url: string): Promise<Row[]> {
  const { browser: owner, email } = await signUp(url, 'victim@example.com')
  const stranger = await Browser.open(url)
  const guess = async (browser: Browser, word = 'a wrong password') => {
    const { headers } = await browser.send('POST', '/sign_in', { body: { email, password: word }, from: newAddress() })
    return headers['retry-after'] === undefined
  }
  const many = async (browser: Browser) => {
    const atOnce = await Promise.all(Array.from({ length: 100 }, () => guess(browser)))
    const inTurn = []
    for (let count = 0; count < 200; count++) inTurn.push(await guess(browser))
    return [...atOnce, ...inTurn].filter(Boolean).length
  }

  const strangers = await many(stranger)
  const known = await Browser.open(url)
  known.cookies.set('device', owner.cookies.get('device') ?? '')
  const ownersTry = await guess(known, password)
  const thief = await Browser.open(url)
  thief.cookies.set('device', owner.cookies.get('device') ?? '')
  return [
    atMostRow('guesses that ran against one account in an hour, of 300 from 300 clients', strangers, 100),
    countRow('the owner signs in meanwhile, at a browser of their own', Number(ownersTry), 1),
    atMostRow('guesses that ran with the stolen cookie of a known device, of 300', await many(thief), 100),
  ]
}

export const atMostRow = (what: string, count: number, most: number): Row => ({
  what,
  target: `≤ ${most}`,
  aim: '',
  result: String(count),
  met: count <= most,
})
