import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Owner } from '../../test/helpers/owner.ts'
import { childrenOf } from '../../test/helpers/postgres.ts'
import { startReceiver } from '../../test/helpers/receiver.ts'
import type { Person } from '../../test/helpers/visitor.ts'
import { addWebhook, webhookSettings } from '../webhooks.ts'
import type { Stage } from './stage.ts'
import type { Write } from './visitors.ts'

const path = '/hook'
const timeoutMs = 120_000 // what a killed process had claimed is tried again within two minutes

let receiver: Awaited<ReturnType<typeof startReceiver>>

const faults: Record<string, (stage: Stage) => Promise<unknown>> = {
  'a process of the server is killed (kill -9) while it sends to webhooks': async ({ app }) => {
    const held: ServerResponse[] = []
    receiver.answers.set(path, (response) => held.push(response))
    await sleep(2000)
    process.kill((await childrenOf(app.pid))[0] as number, 'SIGKILL')
    receiver.answers.delete(path)
    for (const response of held) response.writeHead(204).end()
  },
  'the receiver of webhooks fails for an hour': async ({ operator }) => {
    receiver.answers.set(path, (response) => response.writeHead(503).end())
    for (let tries = 0; tries < 4; tries++) {
      await sleep(3000)
      await operator`update webhook_deliveries set due_at = now() where state = 'waiting'` // the next try
    }
    receiver.answers.delete(path)
  },
}

/** Workspaces send their new names to a receiver, which misses none. */
export const webhooks = {
  environment: webhookSettings,
  faults,

  async start(owner: Owner) {
    receiver = await startReceiver(owner)
  },

  columns: ['Webhooks', 'Lost webhooks', 'Under another id'],

  addTo: ({ app, operator }: Stage, person: Person) => addWebhook(app.url, operator, person, receiver.url + path),

  async count({ operator }: Stage, writes: Write[], lost: Set<Write>) {
    const sent = writes.filter((each) => each.isAcknowledged && each.kind === 'workspace')
    const until = performance.now() + timeoutMs
    for (;;) {
      const ids = idsOf()
      const missing = sent.filter((each) => !ids.has(each.text) && !lost.has(each))
      if (missing.length === 0 || performance.now() > until) {
        for (const each of missing) lost.add(each)
        const several = [...ids.values()].filter(({ size }) => size > 1).length
        return [sent.length - missing.length, missing.length, several].map(String)
      }
      // Retries may be due in twelve hours only.
      await operator`update webhook_deliveries set due_at = now() where state = 'waiting' and due_at > now()`
      await sleep(500)
    }
  },
}

/** Under which ids each name has arrived. */
function idsOf() {
  const ids = new Map<string, Set<string>>()
  for (const { headers, body } of receiver.received) {
    const { to } = JSON.parse(body).data.details
    ids.set(to, (ids.get(to) ?? new Set()).add(String(headers['webhook-id'])))
  }
  return ids
}
