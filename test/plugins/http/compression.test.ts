import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import compression from '../../../plugins/http/compression.ts'
import { startApp } from '../../helpers/app.ts'

const long = 'all work and no play '.repeat(200)

async function startServer(t: Test, enabled = true) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(compression, { enabled })
  app.get('/long', (_request, reply) => reply.type('text/html; charset=utf-8').header('vary', 'X-Inertia').send(long))
  app.get('/short', () => 'short')
  app.get('/events', (_request, reply) => reply.type('text/event-stream').send(Readable.from([long])))
  app.get('/image', (_request, reply) => reply.type('image/png').send(Buffer.alloc(5000)))
  app.post('/echo', (request) => ({ received: request.body }))
  return app
}

const asking = { 'accept-encoding': 'gzip, deflate, br, zstd' }

t.test('text is sent as brotli, or as gzip if the client supports nothing better', async (t) => {
  const app = await startServer(t)
  const brotli = await app.inject({ url: '/long', headers: asking })
  t.equal(brotli.headers['content-encoding'], 'br')
  t.equal(brotliDecompressSync(brotli.rawPayload).toString(), long)
  const gzip = await app.inject({ url: '/long', headers: { 'accept-encoding': 'gzip' } })
  t.equal(gzip.headers['content-encoding'], 'gzip')
  t.equal(gunzipSync(gzip.rawPayload).toString(), long)
})

t.test('Accept-Encoding is added to an existing Vary', async (t) => {
  const app = await startServer(t)
  const { headers } = await app.inject({ url: '/long', headers: asking })
  t.strictSame(String(headers.vary).toLowerCase().split(', '), ['x-inertia', 'accept-encoding'])
})

t.test('short responses, event streams and images are not compressed', async (t) => {
  const app = await startServer(t)
  for (const url of ['/short', '/events', '/image']) {
    t.equal((await app.inject({ url, headers: asking })).headers['content-encoding'], undefined, url)
  }
})

t.test('nothing is compressed unless requested, or if it is turned off', async (t) => {
  const app = await startServer(t)
  t.equal((await app.inject('/long')).body, long)
  const off = await startServer(t, false)
  t.equal((await off.inject({ url: '/long', headers: asking })).body, long)
})

t.test('a compressed body is not unpacked', async (t) => {
  const app = await startServer(t)
  const response = await app.inject({
    method: 'POST',
    url: '/echo',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: gzipSync(JSON.stringify({ bomb: '0'.repeat(1_000_000) })),
  })
  t.equal(response.statusCode, 400)
})

t.test('COMPRESSION applies to pages and files', async (t) => {
  for (const [setting, encoding] of [
    ['true', 'br'],
    ['false', undefined],
  ] as const) {
    const { app } = await startApp(t, { COMPRESSION: setting })
    for (const url of ['/sign_in', '/error-pages.css']) {
      t.equal((await app.inject({ url, headers: asking })).headers['content-encoding'], encoding, `${url} ${setting}`)
    }
  }
})

t.test('a part of a file is sent as it is', async (t) => {
  const { app } = await startApp(t)
  const part = await app.inject({ url: '/error-pages.css', headers: { ...asking, range: 'bytes=0-1199' } })
  t.equal(part.statusCode, 206)
  t.equal(part.headers['content-encoding'], undefined)
  t.equal(part.rawPayload.length, 1200)
})
