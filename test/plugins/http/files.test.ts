import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { fileRoute, sendFile } from '../../../plugins/http/files.ts'
import { listen } from '../../helpers/app.ts'

const piece = 'x'.repeat(65_536)
const pieces = 1_000 // far more than the buffers of a connection hold

/** `requestTimeout` is how long a client may stop reading. */
async function startServer(t: Test, { requestTimeout = 60_000 } = {}) {
  const app = Fastify({ requestTimeout, handlerTimeout: 300 })
  t.teardown(() => app.close())
  const ended = Promise.withResolvers<void>()
  const read = { count: 0, ended: ended.promise }
  async function* file() {
    try {
      for (; read.count < pieces; read.count++) yield piece
    } finally {
      ended.resolve()
    }
  }
  app.get('/file', fileRoute, (_request, reply) => sendFile(reply, { name: 'a.txt', type: 'text/plain' }, file()))
  await listen(app)
  return { app, read, url: `${app.listeningOrigin}/file` }
}

t.test('a file is read as fast as it is sent, for longer than another response may take', async (t) => {
  const { url, read } = await startServer(t)
  t.equal((await fetch(url, { method: 'HEAD' })).headers.get('content-type'), 'text/plain')
  t.equal(read.count, 0, 'a HEAD request reads nothing')
  const response = await fetch(url)
  t.equal(response.headers.get('content-disposition'), 'attachment; filename="a.txt"')
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length < 20 * chunk.length) await new Promise((resolve) => setTimeout(resolve, 30))
  }
  t.equal(length, pieces * piece.length)
  await read.ended
})

t.test('a client that stops reading a file is disconnected, and the rest is not read', async (t) => {
  const { app, read } = await startServer(t, { requestTimeout: 300 })
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  socket.write('GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n')
  socket.pause()
  await read.ended
  t.ok(read.count > 0 && read.count < pieces / 2, `${read.count} pieces were read`)
  socket.on('error', () => {}).resume()
  await once(socket, 'close')
})
