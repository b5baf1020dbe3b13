import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import Fastify from 'fastify'
import t from 'tap'
import { listen } from '../../server/listen.ts'

const somewhere = { port: 0, host: '127.0.0.1' }

t.test('many clients are accepted within few turns of the event loop, not one per turn', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const { port } = new URL(await listen(app, somewhere))
  let accepted = 0
  app.server.on('connection', () => accepted++)
  const crowd = Array.from({ length: 64 }, () => connect(Number(port), '127.0.0.1'))
  t.teardown(() => {
    for (const socket of crowd) socket.destroy()
  })
  let connected = 0
  for (const socket of crowd) socket.on('connect', () => connected++)
  let turns = 0
  while (accepted < 64) {
    // The kernel has completed the connection. From then on, it is up to us to accept it.
    if (connected > 0) turns++
    await turn()
  }
  t.ok(turns < 32, `${turns} turns`)
})

t.test('clients on the other sockets get responses too, and are released at shutdown', async (t) => {
  const app = Fastify()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let arrived = 0
  app.get('/', async () => {
    arrived++
    await held
    return 'fine'
  })
  const address = await listen(app, somewhere)
  const visits = Array.from({ length: 32 }, () => fetch(address))
  while (arrived < 32) await turn()
  const closing = app.close()
  release()
  for (const visit of visits) t.equal(await (await visit).text(), 'fine')
  await closing
  await t.rejects(fetch(address))
})

t.test('a port that is in use is rejected', async (t) => {
  const other = createServer().listen(somewhere)
  await once(other, 'listening')
  t.teardown(() => other.close())
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const app = Fastify()
  t.teardown(() => app.close())
  await t.rejects(listen(app, { ...somewhere, port }), { code: 'EADDRINUSE' })
})
