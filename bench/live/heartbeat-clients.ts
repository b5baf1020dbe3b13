import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// Tabs that each send a presence heartbeat every 15 seconds, as pages/live/tab.ts does.

export type Load = { url: string; tabs: { cookie: string; csrf: string; identifier: string }[] }
/** The answer to whatever is asked after that. */
export type Counted = { answered: number }

const every = 15_000 // milliseconds
const agent = new Agent({ keepAlive: true, maxSockets: 128 }) // as those of a proxy; about 70 are in use
let answered = 0

process.once('message', ({ url, tabs }: Load) => {
  process.on('message', () => process.send?.({ answered } satisfies Counted))
  for (const [index, tab] of tabs.entries()) beat(tab, `tab-${index}`, (every / tabs.length) * index)

  async function beat({ cookie, csrf, identifier }: Load['tabs'][number], tabId: string, after: number) {
    const body = JSON.stringify({ identifier, tab_id: tabId })
    const json = { 'content-type': 'application/json', prefer: 'return=minimal', 'x-tab-id': tabId }
    const headers = { ...json, 'content-length': body.length, cookie, 'x-xsrf-token': csrf }
    for (let at = performance.now() + after; ; at += every) {
      await sleep(Math.max(0, at - performance.now()))
      const status = await send(url, headers, body)
      if (status !== 204) throw new Error(`${url} answered ${status}`)
      answered++
    }
  }
})
process.once('disconnect', () => process.exit())

const send = (url: string, headers: Record<string, string | number>, body: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    outgoing.once('error', reject).end(body)
  })
