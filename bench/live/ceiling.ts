import { createServer, type ServerResponse } from 'node:http'

// The minimum that does the same as /live: no sessions and no authorization, just open responses and writes.

const streams = new Map<ServerResponse, string[]>()

const frame = (content: object) => `data: ${JSON.stringify(content)}\n\n`

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://127.0.0.1')
  const identifiers: string[] = JSON.parse(url.searchParams.get('s') ?? '[]')
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.write('retry: 1000\n\n')
  for (const identifier of identifiers) {
    response.write(frame({ type: 'confirm_subscription', identifier }))
    response.write(frame({ identifier, type: 'presence', present: [], tab_id: null }))
  }
  streams.set(response, identifiers)
  response.once('close', () => streams.delete(response))
})

/** The parent process sends the identifier to broadcast to. */
process.on('message', (identifier: string) => {
  const message = frame({ identifier, message: { type: 'members' }, tab_id: null })
  for (const [response, identifiers] of streams) if (identifiers.includes(identifier)) response.write(message)
})

setInterval(() => {
  for (const response of streams.keys()) response.write(':\n\n')
}, 15_000)

server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.once('disconnect', () => process.exit())
