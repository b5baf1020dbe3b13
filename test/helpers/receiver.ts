import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Owner } from './owner.ts'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; at: number }

/** A receiver of webhooks, which keeps what arrives and answers as `answer` says. */
export async function startReceiver(owner: Owner) {
  const received: Received[] = []
  const answers = new Map<string, (response: ServerResponse, received: Received) => unknown>()
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '/', headers } = request
    const each = { path, headers, body: Buffer.concat(chunks).toString(), at: Date.now() }
    received.push(each)
    const answer = answers.get(path) ?? ((response) => response.writeHead(204).end())
    answer(response, each)
  }
  const server = createServer(listener).on('clientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  owner.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const at = (path: string) => received.filter((each) => each.path === path)
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    received,
    answers,
    at,
    /** Waits until so many have arrived at this path. */
    async until(path: string, count: number) {
      while (at(path).length < count) await sleep(10)
      return at(path)
    },
  }
}

/** As receivers check it. */
export function isSigned({ headers, body }: Received, secret: string) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return String(signatures).split(' ').includes(`v1,${signature}`)
}
