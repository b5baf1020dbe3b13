import { start } from '../lib/children.ts'
import { limitRow, type Row } from '../lib/table.ts'
import { Browser, newAddress } from './attacker.ts'

const signIns = 1000

/** A thousand concurrent sign-ins from as many clients, and how long a file takes meanwhile. */
export async function starveHashing(url: string): Promise<Row[]> {
  const visitor = start('abuse/asset.ts')
  const browser = await Browser.open(url)
  const watch = { url: `${url}/icon.png` }
  try {
    await visitor.request({ ...watch, seconds: 1 })
    const idle = await visitor.request({ ...watch, seconds: 5 })
    const busy = visitor.request({ ...watch, seconds: 8 })
    const startedAt = performance.now()
    const answers = await Promise.all(
      Array.from({ length: signIns }, async (_, number) => {
        const body = { email: `nobody-${number}@example.com`, password: 'a wrong password' }
        return (await browser.send('POST', '/sign_in', { body, from: newAddress() })).status
      }),
    )
    const seconds = (performance.now() - startedAt) / 1000
    const { slowest } = await busy
    const verified = answers.filter((status) => status === 302).length
    return [
      limitRow(
        `slowest asset while ${signIns} sign-ins are sent, of ${idle.slowest.toFixed(1)} ms at rest`,
        slowest / idle.slowest,
        {
          unit: '×',
          target: 10,
          digits: 1,
        },
      ),
      limitRow(`until all are answered, ${verified} after a look at the password`, seconds, {
        unit: 's',
        target: 13.6,
        digits: 1,
      }),
    ]
  } finally {
    await visitor.stop()
  }
}
