import { Writable } from 'node:stream'
import Fastify, { LogController } from 'fastify'
import t, { type Test } from 'tap'
import logging, { filterPath, loggerOptions } from '../../../plugins/http/logging.ts'

t.test('values whose names tell a secret are filtered, in brackets and in any case too', async (t) => {
  const secrets = [
    'sid',
    'SID',
    'token',
    'invitation',
    'reset_token',
    'password',
    'password_confirmation',
    'Password_Challenge',
  ]
  for (const name of [...secrets, 'user[password]', 'user[auth_token]', 'user%5Bpassword%5D', 'tok%65n', 'token[]']) {
    t.equal(filterPath(`/x?page=2&${name}=abc&q=1`), `/x?page=2&${name}=[FILTERED]&q=1`)
  }
  t.equal(filterPath('/x?sid=abc=='), '/x?sid=[FILTERED]')
})

t.test('other values are kept', async (t) => {
  for (const name of ['page', 'tokens', 'sidebar', 'user[name]', 'invitations', 'broken%']) {
    t.equal(filterPath(`/x?${name}=2`), `/x?${name}=2`)
  }
  for (const url of ['/', '/?', '/x', '/x?token', '/x?token=', '/x?token=&page=2', '/x?a=1&&b=2'])
    t.equal(filterPath(url), url)
})

t.test('tokens in a path are filtered', async (t) => {
  t.equal(filterPath('/sessions/abc'), '/sessions/[FILTERED]')
  t.equal(filterPath('/sessions/abc/?page=2'), '/sessions/[FILTERED]/?page=2')
  t.equal(filterPath('/invitations/abc/accept'), '/invitations/[FILTERED]/accept')
  t.equal(filterPath('/invitations/abc?token=x'), '/invitations/[FILTERED]?token=[FILTERED]')
  t.equal(filterPath('/%73essions/abc'), '/sessions/[FILTERED]')
  t.equal(filterPath('http://example.com/sessions/abc'), 'http://example.com/sessions/[FILTERED]')
})

t.test('a path without a token is kept', async (t) => {
  for (const url of [
    '/acme/invitations/7',
    '/invitations/',
    '/invitations',
    '/sessions',
    '/settings/sessions',
    '/a%20b',
    '/%',
  ]) {
    t.equal(filterPath(url), url)
  }
})

type Line = { level: number; msg: string; [name: string]: unknown }

async function startServer(t: Test) {
  const lines: Line[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(chunk))
      done()
    },
  })
  const app = Fastify({
    logger: { ...loggerOptions({ level: 'info', pretty: false }), stream },
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
  app.get('/odd', () => {
    throw 'a string'
  })
  app.setErrorHandler((error, request, reply) => {
    request.log.error({ err: error }, 'request failed')
    return reply.code(500).send()
  })
  return { app, lines }
}

t.test('a request is one line, written when it has been answered', async (t) => {
  const { app, lines } = await startServer(t)
  await app.inject({ url: '/?page=2&sid=abc', headers: { cookie: 'session_token=abc', authorization: 'abc' } })
  t.equal(lines.length, 1)
  const [{ duration, ...line }] = lines as [Line]
  t.match(line, { level: 30, reqId: 'req-1', method: 'GET', path: '/?page=2&sid=[FILTERED]', status: 200, user: 7 })
  t.type(duration, 'number')
  t.notMatch(JSON.stringify(line), 'abc')
})

t.test('a guest has no user in the line, and an unknown address has a line too', async (t) => {
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
    t.equal(lines.length, 2)
    t.match(lines[0], {
      level: 50,
      msg: 'request failed',
      err: {
        type: 'Error',
        message: 'Failed query: insert into users values ($1, $2)',
        stack: /logging\.test\.ts/,
        cause: { message: 'duplicate key value', code: '23505', stack: /logging\.test\.ts/ },
      },
    })
    t.match(lines[1], { level: 30, method: 'POST', path: '/fail', status: 500 })
    t.notMatch(JSON.stringify(lines), 'secret')
    t.notMatch(JSON.stringify(lines), 'ada@example.com')
  },
)

t.test('what is thrown and no error does not break the log', async (t) => {
  const { app, lines } = await startServer(t)
  await app.inject('/odd')
  t.match(lines[0], { level: 50, err: { type: 'string' } })
})

t.test('a request that is logged by somebody else is filtered as well', async (t) => {
  const { app, lines } = await startServer(t)
  app.log.info({ req: { method: 'GET', url: '/sessions/abc', headers: { cookie: 'abc' } } })
  t.strictSame(lines[0]?.req, { method: 'GET', path: '/sessions/[FILTERED]' })
})

t.test('lines for a person are made by another package, lines of JSON by none', async (t) => {
  t.match(loggerOptions({ level: 'info', pretty: true }), { transport: { target: 'pino-pretty' } })
  t.notOk('transport' in loggerOptions({ level: 'info', pretty: false }))
})
