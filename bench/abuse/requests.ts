import { processorTime } from '../lib/children.ts'
import { limitRow, type Row } from '../lib/table.ts'
import { Browser, newAddress } from './attacker.ts'

const requests = 300
const letters = 'x'.repeat(15_500)
const lots = 1_040_000 // bytes, just below what a body may have

type Application = { url: string; pid: number | undefined }

/** What single requests of a guest cost the process, beside plain ones of the same size. */
export async function weighRequests({ url, pid }: Application): Promise<Row[]> {
  const browser = await Browser.open(url)
  const cost = async (count: number, send: () => Promise<unknown>) => {
    for (let request = 0; request < 10; request++) await send()
    const before = await processorTime(pid)
    for (let request = 0; request < count; request++) await send()
    return ((await processorTime(pid)) - before) * (1000 / count)
  }
  const open = (path: string) => () => browser.send('GET', path, { from: newAddress() })
  const post = (text: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return () => browser.send('PATCH', '/identity/password_reset', { text, headers, from: newAddress() })
  }

  const plain = await cost(requests, open(`/x?${letters}`))
  const brackets = await cost(requests, open(`/x?${'[sid]'.repeat(3100)}`))
  const field = await cost(requests / 10, post(`a=${'b'.repeat(lots)}`))
  const names = await cost(requests / 10, post('a&b&'.repeat(lots / 4)))
  const row = (what: string, ms: number, besides: number) =>
    limitRow(`${what}: ${ms.toFixed(1)} ms of the processor, beside ${besides.toFixed(1)} ms`, ms / besides, {
      unit: '×',
      target: 10,
      digits: 1,
    })
  return [
    { ...row('an address with 3,100 times `[sid]`', brackets, plain), before: '45 to 56 ms' },
    { ...row('a form with half a million names', names, field), before: '252 ms' },
  ]
}
