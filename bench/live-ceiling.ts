import { createServer, type ServerResponse } from 'node:http'

// The least that could do what /live does: no session, no question who may hear what, nothing but open responses and what is written to them.

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

/** Whoever started this process says what to broadcast to. */
process.on('message', (identifier: string) => {
  const message = frame({ identifier, message: { type: 'members' }, tab_id: null })
  for (const [response, identifiers] of streams) if (identifiers.includes(identifier)) response.write(message)
})

setInterval(() => {
  for (const response of streams.keys()) response.write(':\n\n')
}, 15_000)

server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.once('disconnect', () => process.exit())
