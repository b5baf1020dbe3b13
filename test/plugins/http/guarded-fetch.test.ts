import { createServer } from 'node:http'
import type { LookupFunction } from 'node:net'
import t, { type Test } from 'tap'
import { guardedFetch, isPublic } from '../../../plugins/http/guarded-fetch.ts'

/** A server on this machine, and how many connections it got. */
async function startServer(t: Test) {
  const server = createServer((_request, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  t.teardown(() => server.close())
  const state = { connections: 0, port: 0 }
  server.on('connection', () => state.connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.port = (server.address() as { port: number }).port
  return state
}

const answering = (...addresses: string[]) =>
  ((_hostname, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as LookupFunction

t.test('only addresses of the public internet are public', async (t) => {
  const privateAddresses = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '168.63.129.16', '169.254.169.254'],
    ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '224.0.0.1'],
    ...['240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1'],
    ...['64:ff9b:1::1', '2001::1', '2001:db8::1', '2002:7f00:1::', 'fc00::1', 'fd12::1', 'fe80::1', 'ff02::1'],
    'localhost',
  ]
  t.same(privateAddresses.filter(isPublic), [])
  const publicAddresses = ['1.1.1.1', '172.32.0.1', '168.63.129.17', '2606:4700::1111', '2a00:1450:4001::200e']
  t.same(publicAddresses.filter(isPublic), publicAddresses)
})

t.test('nothing is sent to this machine, however its address is written', async (t) => {
  const server = await startServer(t)
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:7f00:1]', '[::ffff:127.0.0.1]']
  for (const host of hosts) await t.rejects(guardedFetch()(`https://${host}:${server.port}/`), /private address/, host)
  await t.rejects(guardedFetch()(`https://localhost:${server.port}/`), { cause: /private/ }, 'localhost')
  await t.rejects(guardedFetch()(`http://example.com:${server.port}/`), /no https/)
  t.equal(server.connections, 0)
})

t.test('a name with one private address is refused, whatever it answered before', async (t) => {
  const server = await startServer(t)
  const answers = [['::1'], ['2606:4700::1111', '127.0.0.1'], ['169.254.169.254']]
  const changing: LookupFunction = (hostname, options, done) =>
    answering(...(answers.shift() ?? []))(hostname, options, done)
  const fetch = guardedFetch({ lookup: changing })
  for (const _ of [...answers]) await t.rejects(fetch(`https://idp.test:${server.port}/`), { cause: /private/ })
  t.same({ answers, connections: server.connections }, { answers: [], connections: 0 })
})

t.test('private addresses can be allowed, and redirects are not followed', async (t) => {
  const { port } = await startServer(t)
  const fetch = guardedFetch({ allowPrivate: true })
  const response = await fetch(`http://127.0.0.1:${port}/`)
  t.same([response.status, response.headers.get('location')], [302, '/elsewhere'])
  await t.rejects(fetch('http://example.com/'), /no https/, 'over http only from this machine')
})
