import Fastify, { LogController } from 'fastify'
import t, { type Test } from 'tap'
import { Unavailable } from '../../../plugins/http/errors.ts'
import logging, { loggerOptions } from '../../../plugins/http/logging.ts'
import { collectLines, type Line } from '../../helpers/log.ts'

async function startServer(t: Test) {
  const { lines, logTo } = collectLines()
  const app = Fastify({
    logger: loggerOptions({ level: 'info', pretty: false, to: logTo }),
    logController: new LogController({ disableRequestLogging: true }),
  })
  t.teardown(() => app.close())
  await app.register(logging, { userId: (request) => (request.headers.cookie ? 7 : undefined) })
  app.get('/', () => 'fine')
  app.post('/fail', () => {
    throw new Error('Failed query: insert into users values ($1, $2)\nparams: ada@example.com,$argon2id$secret', {
      cause: Object.assign(new Error('duplicate key value'), {
        code: '23505',
        detail: 'Key (email)=(ada@example.com)',
      }),
    })
  })
  app.get('/quiet', { config: { unlogged: true } }, () => 'fine')
  app.get('/busy', () => {
    throw new Unavailable('too much is asked for at once')
  })
  app.get('/odd', () => {
    throw 'a string'
  })
  app.setErrorHandler((error, request, reply) => {
    request.fault = error
    return reply.code(500).send()
  })
  return { app, lines }
}

t.test('a request is one line, written when it has been answered', async (t) => {
  const { app, lines } = await startServer(t)
  await app.inject({ url: '/?page=2&sid=abc', headers: { cookie: 'session_token=abc', authorization: 'abc' } })
  t.equal(lines.length, 1)
  const [{ duration, ...line }] = lines as [Line]
  t.match(line, {
    level: 30,
    reqId: 'req-1',
    method: 'GET',
    path: '/?page=2&sid=[FILTERED]',
    status: 200,
    user: 7,
    client: '127.0.0.1',
  })
  t.type(duration, 'number')
  t.notMatch(JSON.stringify(line), 'abc')
})

t.test("a guest's line has no user, and unknown URLs are logged too", async (t) => {
  const { app, lines } = await startServer(t)
  await app.inject('/nowhere')
  t.equal(lines.length, 1)
  t.match(lines[0], { path: '/nowhere', status: 404 })
  t.notOk('user' in (lines[0] ?? {}))
})

t.test(
  'a failure is logged once with its stack and cause, and without a value of the query, a header or the body',
  async (t) => {
    const { app, lines } = await startServer(t)
    await app.inject({
      method: 'POST',
      url: '/fail',
      headers: { 'x-secret': 'secret' },
      payload: { password: 'secret' },
    })
    t.equal(lines.length, 1)
    t.match(lines[0], {
      level: 50,
      msg: 'request failed',
      method: 'POST',
      path: '/fail',
      status: 500,
      err: {
        type: 'Error',
        message: 'Failed query: insert into users values ($1, $2)',
        stack: /logging\.test\.ts/,
        cause: { message: 'duplicate key value', code: '23505', stack: /logging\.test\.ts/ },
      },
    })
    t.notMatch(JSON.stringify(lines), 'secret')
    t.notMatch(JSON.stringify(lines), 'ada@example.com')
  },
)

t.test('a request rejected by load shedding is one line without a stack', async (t) => {
  const { app, lines } = await startServer(t)
  await app.inject('/busy')
  t.equal(lines.length, 1)
  t.match(lines[0], { level: 40, msg: 'request refused', path: '/busy', reason: 'too much is asked for at once' })
  t.notOk('err' in (lines[0] ?? {}))
})

t.test('a route that machines poll is not logged', async (t) => {
  const { app, lines } = await startServer(t)
  await app.inject('/quiet')
  t.same(lines, [])
})

t.test('throwing something other than an error does not break the log', async (t) => {
  const { app, lines } = await startServer(t)
  await app.inject('/odd')
  t.match(lines[0], { level: 50, err: { type: 'string' } })
})

t.test('a request logged by other code is filtered as well', async (t) => {
  const { app, lines } = await startServer(t)
  app.log.info({ req: { method: 'GET', url: '/sessions/abc', headers: { cookie: 'abc' } } })
  t.strictSame(lines[0]?.req, { method: 'GET', path: '/sessions/[FILTERED]' })
})

t.test('readable lines use a separate package, JSON lines do not', async (t) => {
  t.match(loggerOptions({ level: 'info', pretty: true }), { transport: { target: 'pino-pretty' } })
  t.notOk('transport' in loggerOptions({ level: 'info', pretty: false }))
})
