import { randomBytes } from 'node:crypto'
import { DrizzleQueryError } from 'drizzle-orm'
import Fastify, { type InjectOptions, LogController } from 'fastify'
import t, { type Test } from 'tap'
import { Unavailable } from '../../../plugins/http/errors.ts'
import logging, { loggerOptions, stackOf } from '../../../plugins/http/logging.ts'
import { collectLines, type Line } from '../../helpers/app.ts'

async function startServer(t: Test) {
  const { lines, logTo } = collectLines()
  const app = Fastify({
    logger: loggerOptions({ level: 'info', pretty: false, to: logTo }),
    logController: new LogController({ disableRequestLogging: true }),
  })
  t.teardown(() => app.close())
  await app.register(logging, { userId: (request) => (request.headers.cookie ? 7 : undefined), hops: 0 })
  for (const url of ['/', '/:slug(^[a-z0-9-]{3,40}$)/members', '/sessions/:id', '/invitations/:token'])
    app.get(url, () => 'fine')
  app.post('/fail', () => {
    const violation = { code: '23505', detail: 'Key (email)=(ada@example.com)' }
    const cause = Object.assign(new Error('duplicate key value'), violation)
    const parameters = ['ada@example.com', '$argon2id$secret']
    throw new DrizzleQueryError('insert into users values ($1, $2)', parameters, cause)
  })
  app.get('/busy', () => {
    throw new Unavailable('too much is asked for at once')
  })
  app.setErrorHandler((error, request, reply) => {
    request.fault = error
    return reply.code(500).send()
  })
  /** The lines of a request. */
  const linesOf = async (request: InjectOptions | string) => {
    await app.inject(request)
    return lines.splice(0)
  }
  return { app, lines, linesOf }
}

t.test('a request is one line, written when it has been answered', async (t) => {
  const { linesOf } = await startServer(t)
  const headers = { cookie: 'session_token=abc', authorization: 'abc' }
  const [{ duration, ...line }, ...more] = (await linesOf({ url: '/?page=2&sid=abc', headers })) as [Line]
  t.match(line, { level: 30, reqId: 'req-1', method: 'GET', path: '/', status: 200, user: 7, client: '127.0.0.1' })
  t.type(duration, 'number')
  t.notMatch(JSON.stringify(line), 'abc')
  const [refused = {}, ...others] = await linesOf('/busy')
  t.match(refused, { level: 40, msg: 'request refused', path: '/busy', reason: 'too much is asked for at once' })
  t.notOk('err' in refused, 'load shedding needs no stack')
  t.same([more, others], [[], []])
})

t.test('a failure is logged once: what Postgres said, its code, statement and stack, without any value', async (t) => {
  const { linesOf } = await startServer(t)
  const body = { headers: { 'x-secret': 'secret' }, payload: { password: 'secret' } }
  const [line, ...more] = (await linesOf({ method: 'POST', url: '/fail', ...body })) as [Line]
  t.match(line, { level: 50, msg: 'request failed', method: 'POST', path: '/fail', status: 500 })
  const { stack, ...err } = line.err as { stack: string }
  const query = 'insert into users values ($1, $2)'
  t.same(err, { type: 'Error', message: 'duplicate key value', code: '23505', query })
  t.match(stack, /^Error: duplicate key value\n {4}at .*logging\.test\.ts/s)
  t.equal(JSON.stringify(line).split(query).length, 2)
  t.notMatch(JSON.stringify(line), /secret|ada@example\.com/)
  t.same(more, [])
})

t.test('no line repeats the parameters of a statement, however the error is logged', async (t) => {
  const { app, lines } = await startServer(t)
  const invalid = new Error('invalid input syntax for type bigint: "a \\"secret\\"\nof two lines"')
  const parameters = ['a "secret"\nof two lines\n    at nowhere', 'another\\']
  const error = new DrizzleQueryError('select $1', parameters, Object.assign(invalid, { code: '22P02' }))
  app.log.error(error)
  app.log.error({ err: error }, error.message)
  app.log.warn({ failures: [{ reason: error.message }], after: 1 })
  app.log.info(`it failed: ${error.message}`)
  t.notMatch(JSON.stringify(lines), /secret|nowhere|another|params/)
  const message = 'invalid input syntax for type bigint: "…"'
  t.equal(lines.length, 4)
  t.match(lines, [
    { msg: 'Failed query: select $1', err: { stack: /logging\.test\.ts/, message } },
    { msg: 'Failed query: select $1' },
    { failures: [{ reason: 'Failed query: select $1' }], after: 1 },
    { msg: 'it failed: Failed query: select $1' },
  ])
  t.notMatch(stackOf(error), /secret|another/)
  t.match(stackOf(error), /^Error: invalid input .*\n {4}at .*\nselect \$1$/s)
})

t.test('no line has the query of a URL, whoever names it', async (t) => {
  const { app, lines } = await startServer(t)
  app.get('/late', (_request, reply) => {
    reply.send('in time')
    return reply.send('late')
  })
  await app.inject('/late?code=secret&state=secret')
  const cause = new Error('GET https://id.example/token?code=secret failed')
  const error = new Error('/sso/callback?code=secret&state=secret: late', { cause })
  app.log.error({ err: error }, 'failed at /sso/callback?code=secret, was it?')
  app.log.warn({ urls: ['/invitations?token=secret'] })
  t.notMatch(JSON.stringify(lines), 'secret')
  const late = lines.find(({ err }) => err)
  t.match(late, { level: 40, err: { code: 'FST_ERR_REP_ALREADY_SENT', message: /"\/late"/, stack: /"\/late"/ } })
  t.match(lines.at(-2), { msg: 'failed at /sso/callback was it?', err: { stack: /\/sso\/callback late\n {4}at / } })
  t.match(lines.at(-1), { urls: ['/invitations'] })
  t.match(stackOf(error), /^Error: \/sso\/callback late\n {4}at .*GET https:\/\/id\.example\/token failed/s)
})

t.test('an error has the code of what caused it', async (t) => {
  const { app, lines } = await startServer(t)
  const cause = new DrizzleQueryError('select', [], Object.assign(new Error('deadlock detected'), { code: '40P01' }))
  app.log.error({ err: new Unavailable('others keep changing it', { cause }) })
  t.match(lines[0], { err: { message: 'others keep changing it', code: '40P01', cause: { query: 'select' } } })
})

t.test('the path is the pattern of the route, or the beginning of one without route and secrets', async (t) => {
  const { linesOf } = await startServer(t)
  for (const [url, path] of [
    ['/acme/members?page=2', '/:slug/members'],
    ['/sessions/abc', '/sessions/:id'],
    ['/%69nvitations/abc', '/invitations/:token'],
    ['/wp-login.php', '/wp-login.php'],
    ['/acme/settigns/2?x', '/acme/settigns/2'],
    ['/sessions/abc/foo', '/sessions/'],
    ['//sessions//abc', '//sessions/'],
    ['/invitations/abc/foo', '/invitations/'],
    ['/acme/invitations/7/foo', '/acme/invitations/'],
    ['/%69nvitations/abc/foo', '/'],
    ['/x%3Fsid=abc', '/x'],
    ['/x;sid=abc', '/x'],
    ['/x&amp;sid=abc', '/x'],
    [`/a/${'b'.repeat(5_000)}`, `/a/${'b'.repeat(197)}`],
  ] as const) {
    const [line] = await linesOf(url)
    t.equal(line?.path, path)
  }
  const token = `c${randomBytes(32).toString('base64url').slice(3)}XX`
  t.notMatch(JSON.stringify(await linesOf(`/${token}/accept`)), token.slice(0, 42))
})
