import { setTimeout as sleep } from 'node:timers/promises'

// Tabs that each send a presence heartbeat every 15 seconds.

export type Beats = { url: string; tabs: { cookie: string; csrf: string; identifier: string }[] }

const every = 15_000 // milliseconds

process.on('message', ({ url, tabs }: Beats) => {
  for (const [index, tab] of tabs.entries()) beat(tab, `tab-${index}`, (every / tabs.length) * index)

  async function beat({ cookie, csrf, identifier }: Beats['tabs'][number], tabId: string, after: number) {
    const body = JSON.stringify({ identifier, tab_id: tabId })
    const json = { 'content-type': 'application/json', 'x-tab-id': tabId }
    for (let at = performance.now() + after; ; at += every) {
      await sleep(Math.max(0, at - performance.now()))
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...json, cookie, 'x-xsrf-token': csrf },
        body,
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    }
  }
})
process.once('disconnect', () => process.exit())
