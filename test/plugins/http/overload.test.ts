import { AsyncLocalStorage } from 'node:async_hooks'
import { connect } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { freePort } from '../../../development/free-port.ts'
import errors from '../../../plugins/http/errors.ts'
import overload from '../../../plugins/http/overload.ts'
import languages from '../../../plugins/languages/index.ts'
import { serveMetrics } from '../../../server/metrics.ts'
import { startApp } from '../../helpers/app.ts'

async function startSmall(t: Test, { maxInFlight = 3, maxQueued = 2, timeoutMs = 50 } = {}) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(languages, { tags: [] })
  await app.register(errors, { pages: new URL('../../../pages/public/', import.meta.url) })
  const who = new AsyncLocalStorage<string>()
  app.addHook('onRequest', (request, _reply, done) => {
    who.run(request.url, done)
  })
  await app.register(overload, { maxInFlight, maxQueued, timeoutMs })
  const waiting: (() => void)[] = []
  const wait = () => new Promise<string>((resolve) => waiting.push(() => resolve('fine')))
  app.get('/slow', wait)
  app.get('/stream', { config: { streaming: true } }, wait)
  app.post('/slow', wait)
  app.get('/whoami', () => who.getStore() ?? 'nobody')
  app.get('/broken', () => {
    throw new Error('broken')
  })
  const answerAll = () => {
    for (const answer of waiting.splice(0)) answer()
  }
  const untilWaiting = async (count: number) => {
    while (waiting.length < count) await new Promise(setImmediate)
  }
  return { app, answerAll, untilWaiting, countWaiting: () => waiting.length }
}

t.test('a full process responds with 503 and Retry-After until there is room again', async (t) => {
  const { app, answerAll, untilWaiting } = await startSmall(t)
  const held = [app.inject('/slow'), app.inject('/slow'), app.inject({ method: 'POST', url: '/slow', payload: {} })]
  await untilWaiting(3)
  const refused = await app.inject('/slow')
  t.equal(refused.statusCode, 503)
  t.equal(refused.headers['retry-after'], '2')
  t.match(refused.body, /<!doctype html>/i)
  const json = await app.inject({ url: '/slow', headers: { accept: 'application/json' } })
  t.same(json.json(), { status: 503, error: 'Service Unavailable' })
  answerAll()
  for (const { statusCode } of await Promise.all(held)) t.equal(statusCode, 200)
  const next = app.inject('/slow')
  await untilWaiting(1)
  answerAll()
  t.equal((await next).statusCode, 200)
})

t.test('a few requests queue in order, and others are rejected at once when the queue is full', async (t) => {
  const { app, answerAll, untilWaiting } = await startSmall(t, { maxInFlight: 6, timeoutMs: 60_000 })
  const arrived: string[] = []
  app.addHook('preHandler', async ({ url }) => {
    arrived.push(url.slice(-1))
  })
  const visit = async (name: string) => (await app.inject(`/slow?${name}`)).statusCode
  const held = ['a', 'b', 'c', 'd', 'e', 'f'].map(visit)
  await untilWaiting(6)
  const queued = ['g', 'h'].map(visit)
  t.equal(await visit('i'), 503)
  answerAll()
  await Promise.all(held)
  await untilWaiting(2)
  answerAll()
  t.same(await Promise.all([...held, ...queued]), Array(8).fill(200))
  t.same(arrived, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
})

t.test('after a rejection, fewer are in flight and wait briefly, until none was rejected for a second', async (t) => {
  let now = performance.now()
  t.capture(performance, 'now', () => now)
  const { app, answerAll, untilWaiting } = await startSmall(t, { maxInFlight: 6, timeoutMs: 60_000 })
  const visit = async () => (await app.inject('/slow')).statusCode
  const held = Array.from({ length: 6 }, visit)
  await untilWaiting(6)
  held.push(visit(), visit())
  t.equal(await visit(), 503, 'because the queue is full')
  now += 101
  answerAll()
  await untilWaiting(2) // instead of six
  const queued = visit()
  await new Promise(setImmediate)
  now += 101
  t.equal(await queued, 503, 'although the timeout is a minute')

  answerAll()
  t.same(await Promise.all(held), Array(8).fill(200))
  now += 1_001
  held.push(...Array.from({ length: 6 }, visit))
  await untilWaiting(6)
  answerAll()
  t.same(await Promise.all(held), Array(14).fill(200))
})

t.test('changes that arrive at once begin in order, and pages go before them', async (t) => {
  const { app } = await startSmall(t, { maxInFlight: 1_000 })
  const begun: number[] = []
  app.addHook('onRequest', async ({ method, url }) => {
    if (method === 'PUT') begun.push(Number(url.slice(1)))
  })
  app.put('/:number', async () => 'done')

  const numbers = Array.from({ length: 100 }, (_, number) => number)
  const changes = numbers.map((number) => app.inject({ method: 'PUT', url: `/${number}` }))
  t.equal((await app.inject('/whoami')).body, '/whoami')
  t.ok(begun.length < 100, `a page came after ${begun.length} of them`)
  for (const { body } of await Promise.all(changes)) t.equal(body, 'done')
  t.same(begun, numbers)
})

t.test('of those that wait, a few begin in each turn, however many places are free', async (t) => {
  const { app, answerAll, untilWaiting } = await startSmall(t, { maxInFlight: 100, maxQueued: 100, timeoutMs: 60_000 })
  let turn = 0
  let counting = setImmediate(function next() {
    turn++
    counting = setImmediate(next)
  })
  t.teardown(() => clearImmediate(counting))
  const begun: number[] = []
  app.addHook('preHandler', async ({ url }) => {
    if (url === '/whoami') begun.push(turn)
  })
  const held = Array.from({ length: 100 }, () => app.inject('/slow'))
  await untilWaiting(100)
  const queued = Array.from({ length: 100 }, () => app.inject('/whoami'))
  const stream = app.inject('/stream')
  await untilWaiting(101) // which takes no place. By then, all others wait
  answerAll()
  for (const { statusCode } of await Promise.all([...held, ...queued, stream])) t.equal(statusCode, 200)
  t.equal(begun.length, 100)
  for (const some of Map.groupBy(begun, (turn) => turn).values()) t.ok(some.length <= 8)
})

t.test('requests with bodies cannot bypass that', async (t) => {
  const { app, answerAll, countWaiting } = await startSmall(t, { maxInFlight: 6 })
  const crowd = Array.from({ length: 18 }, () => app.inject({ method: 'POST', url: '/slow', payload: { name: 'x' } }))
  let refused = 0
  for (const answer of crowd) answer.then(({ statusCode }) => statusCode === 503 && refused++)
  while (refused + countWaiting() < crowd.length) await new Promise(setImmediate)
  const begun = countWaiting()
  t.ok(begun >= 2 && begun <= 6, `${begun} of six places are taken`)
  answerAll()
  const answers = (await Promise.all(crowd)).map(({ statusCode }) => statusCode)
  t.equal(answers.filter((status) => status === 200).length, begun)
})

t.test('a queued request resumes in its own context, not in that of the finished one', async (t) => {
  const { app, answerAll, untilWaiting } = await startSmall(t, { timeoutMs: 60_000 })
  const held = ['a', 'b', 'c'].map((name) => app.inject(`/slow?${name}`))
  await untilWaiting(3)
  const waited = app.inject('/whoami?d')
  answerAll()
  await Promise.all(held)
  t.equal((await waited).body, '/whoami?d')
})

t.test('failed, unknown and rejected requests take no place', async (t) => {
  const { app, answerAll, untilWaiting } = await startSmall(t)
  for (let count = 0; count < 5; count++) {
    t.equal((await app.inject('/broken')).statusCode, 500)
    t.equal((await app.inject('/nowhere')).statusCode, 404)
  }
  const held = [1, 2, 3].map(() => app.inject('/slow'))
  await untilWaiting(3)
  for (let count = 0; count < 5; count++) t.equal((await app.inject('/slow')).statusCode, 503)
  answerAll()
  for (const { statusCode } of await Promise.all(held)) t.equal(statusCode, 200)
})

t.test('neither streams nor bodies still arriving take a place', async (t) => {
  const { app, answerAll, untilWaiting } = await startSmall(t)
  const streams = [1, 2, 3, 4].map(() => app.inject('/stream'))
  await untilWaiting(4)
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const slow = [1, 2, 3, 4].map(() => connect(Number(address.port), '127.0.0.1'))
  for (const socket of slow) {
    socket.on('error', () => {})
    socket.write('POST /slow HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{')
    t.teardown(() => socket.destroy())
  }
  const visit = fetch(new URL('/slow', address))
  await untilWaiting(5)
  answerAll()
  t.equal((await visit).status, 200)
  for (const { statusCode } of await Promise.all(streams)) t.equal(statusCode, 200)
})

t.test('a process with a slow event loop rejects pages, but neither health checks nor metrics', async (t) => {
  const { app } = await startApp(t, { METRICS_PORT: '0' })
  const port = await freePort()
  const read = () => app.metrics?.metrics() ?? Promise.reject()
  t.teardown(await serveMetrics({ port, host: '127.0.0.1', read }))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const visit = (path: string) => fetch(address + path, { headers: { 'accept-encoding': 'br' } })
  let page = await visit('/sign_in')
  t.equal(page.status, 200)
  for (let tries = 0; page.status === 200 && tries < 20; tries++) {
    hog(1_300)
    page = await visit('/sign_in')
  }
  for (const path of ['/up', '/up/ready']) t.equal((await visit(path)).status, 200, path)
  const counted = await fetch(`http://127.0.0.1:${port}/metrics`)
  t.match(await counted.text(), 'http_requests_refused_total{reason="late"} 1\n')
  t.equal(page.status, 503)
  t.equal(page.headers.get('retry-after'), '2')
  t.notOk(page.headers.get('content-encoding'), 'a refusal is not worth the work')
  while ((await visit('/sign_in')).status === 503) await new Promise((resolve) => setTimeout(resolve, 50))
})

t.test('a single pause of the machine turns nobody away', async (t) => {
  const { app } = await startSmall(t)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const delay = () => app.memoryUsage().eventLoopDelay
  while (delay() < 1_000) {
    const last = delay()
    while (delay() === last) await new Promise(setImmediate)
    hog(3_000) // at the start of a period, so that little else is measured in it
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  t.equal((await fetch(`${address}/whoami`)).status, 200)
})

function hog(milliseconds: number) {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}
