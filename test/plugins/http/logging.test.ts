import { randomBytes } from 'node:crypto'
import { DrizzleQueryError } from 'drizzle-orm'
import Fastify, { LogController } from 'fastify'
import t, { type Test } from 'tap'
import { Unavailable } from '../../../plugins/http/errors.ts'
import logging, { loggerOptions } from '../../../plugins/http/logging.ts'
import { stackOf } from '../../../plugins/http/present-error.ts'
import { collectLines, type Line } from '../../helpers/app.ts'

async function startServer(t: Test) {
  const { lines, logTo } = collectLines()
  const app = Fastify({
    logger: loggerOptions({ level: 'info', pretty: false, to: logTo }),
    logController: new LogController({ disableRequestLogging: true }),
  })
  t.teardown(() => app.close())
  await app.register(logging, { userId: (request) => (request.headers.cookie ? 7 : undefined), hops: 0 })
  app.get('/', () => 'fine')
  app.get('/:slug(^[a-z0-9-]{3,40}$)/members', () => 'fine')
  app.delete('/sessions/:id', () => 'fine')
  app.get('/invitations/:token', () => 'fine')
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
    path: '/',
    status: 200,
    user: 7,
    client: '127.0.0.1',
  })
  t.type(duration, 'number')
  t.notMatch(JSON.stringify(line), 'abc')
})

t.test('a failure is logged once with its stack and cause, and without any value', async (t) => {
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
})

t.test('no line repeats the parameters of a statement, however the error is logged', async (t) => {
  const { app, lines } = await startServer(t)
  const driver = Object.assign(new Error('invalid input syntax for type bigint: "a \\"secret\\"\nof two lines"'), {
    code: '22P02',
  })
  const error = new DrizzleQueryError('select $1', ['a "secret"\nof two lines\n    at nowhere', 'another\\'], driver)
  app.log.error(error)
  app.log.error({ err: error }, error.message)
  app.log.warn({ failures: [{ reason: error.message }], after: 1 })
  app.log.info(`it failed: ${error.message}`)
  t.notMatch(JSON.stringify(lines), /secret|nowhere|another|params/)
  t.match(lines, [
    {
      msg: 'Failed query: select $1',
      err: { stack: /logging\.test\.ts/, cause: { message: 'invalid input syntax for type bigint: "…"' } },
    },
    { msg: 'Failed query: select $1' },
    { failures: [{ reason: 'Failed query: select $1' }], after: 1 },
    { msg: 'it failed: Failed query: select $1' },
  ])
  t.notMatch(stackOf(error), /secret|another/)
  t.match(stackOf(error), /Failed query: select \$1\n {4}at .*\nCaused by Error: invalid input/s)
})

t.test('a request rejected by load shedding is one line without a stack', async (t) => {
  const { app, lines } = await startServer(t)
  await app.inject('/busy')
  t.equal(lines.length, 1)
  t.match(lines[0], { level: 40, msg: 'request refused', path: '/busy', reason: 'too much is asked for at once' })
  t.notOk('err' in (lines[0] ?? {}))
})

t.test("a request's path is the pattern of its route, so it holds no id, and never a query", async (t) => {
  const { app, lines } = await startServer(t)
  await app.inject('/acme/members?page=2')
  await app.inject({ method: 'DELETE', url: '/sessions/abc' })
  await app.inject('/%69nvitations/abc?sid=abc')
  const paths = lines.map(({ path }) => path)
  t.same(paths, ['/:slug/members', '/sessions/:id', '/invitations/:token'])
})

t.test('where no route matched, it is the beginning of the path, until something that may be a secret', async (t) => {
  const { app, lines } = await startServer(t)
  const token = `c${randomBytes(32).toString('base64url').slice(3)}XX`
  for (const [url, path] of [
    ['/wp-login.php', '/wp-login.php'],
    ['/acme/settigns/2?x', '/acme/settigns/2'],
    ['/sessions/abc', '/sessions/'],
    ['//sessions//abc', '//sessions/'],
    ['/invitations/abc/foo', '/invitations/'],
    ['/acme/invitations/7/foo', '/acme/invitations/'],
    ['/%69nvitations/abc/foo', '/'],
    ['/x%3Fsid=abc', '/x'],
    ['/x;sid=abc', '/x'],
    ['/x&amp;sid=abc', '/x'],
    [`/a/${'b'.repeat(5_000)}`, `/a/${'b'.repeat(197)}`],
  ]) {
    await app.inject(url ?? '')
    t.equal(lines.pop()?.path, path)
  }
  await app.inject(`/${token}/accept`)
  t.notMatch(JSON.stringify(lines), token.slice(0, 42))
})
