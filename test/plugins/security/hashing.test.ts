import { pbkdf2 as pbkdf2WithCallback } from 'node:crypto'
import { promisify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { runWithRequest } from '../../../plugins/http/request.ts'
import { digestOf, enqueueHash, rejectIfQueueFull, verifyPassword } from '../../../plugins/security/digests.ts'
import { sharedApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'

const pbkdf2 = promisify(pbkdf2WithCallback)

t.test('a sign-in that finds no room is told when to return, and is processed when there is some again', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const attempt = () =>
    browser.request('POST', '/sign_in', { body: { email: 'nobody@example.com', password: 'a wrong password' } })
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = Array.from({ length: 103 }, () => enqueueHash(() => promise))
  const { statusCode, headers, body } = await attempt()
  t.equal(statusCode, 503)
  t.match(headers['retry-after'], /^\d+$/)
  t.same(
    [body.replace(/<p class="reference">.*?<\/p>/, ''), headers['cache-control']],
    [(await app.inject('/500.html')).body, 'no-cache'],
  )
  resolve()
  await Promise.all(running)
  t.equal((await attempt()).statusCode, 302)
})

t.test('files do not wait for password hashing', async (t) => {
  const { app } = await sharedApp(t)
  let computed = 0
  const long = async () => {
    await pbkdf2('a password', 'salt', 500_000, 64, 'sha512') // in the threads that read files as well
    computed++
  }
  const digests = Array.from({ length: 4 }, () => enqueueHash(long))
  t.equal((await app.inject('/icon.png')).statusCode, 200)
  t.equal(computed, 0)
  await Promise.all(digests)
})

t.test('the password of a client that has left is not hashed', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = Array.from({ length: 3 }, () => enqueueHash(() => promise))
  let computed = 0
  const socket = { destroyed: false }
  const request = { raw: { socket } } as FastifyRequest
  const { promise: refused, resolve: refuse } = Promise.withResolvers<unknown>()
  runWithRequest(request, () => {
    const hashing = enqueueHash(async () => computed++)
    refuse(t.rejects(hashing, { message: /the client left/ }))
  })
  socket.destroyed = true
  resolve()
  await Promise.all([refused, ...running])
  t.equal(computed, 0)
  await enqueueHash(async () => computed++)
  t.equal(computed, 1, 'its place is free again')
})

t.test('three passwords are hashed at once and a hundred wait; more are refused before other work', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let [running, most] = [0, 0]
  const compute = async () => {
    most = Math.max(most, ++running)
    await promise
    running--
  }
  const outcomes = Promise.allSettled(Array.from({ length: 150 }, async () => enqueueHash(compute)))
  t.equal(running, 3)
  t.throws(rejectIfQueueFull, { message: 'too many passwords wait to be hashed' })
  resolve()
  t.equal((await outcomes).filter(({ status }) => status === 'fulfilled').length, 103)
  t.equal(most, 3)
  t.doesNotThrow(rejectIfQueueFull)
})

t.test('a digest that cannot be read is a wrong password, and takes as long', async (t) => {
  const quickest = async (digest: string) => {
    const costs: number[] = []
    for (let count = 0; count < 5; count++) {
      const before = process.cpuUsage() // of all threads: on a busy machine the clock says nothing
      t.equal(await verifyPassword('a wrong password', digest), 'wrong')
      const { user, system } = process.cpuUsage(before)
      costs.push(user + system)
    }
    return Math.min(...costs)
  }
  const readable = await quickest(await digestOf('a password'))
  for (const digest of ['', 'no digest', '$2b$10$N9qo8uLOickgx2ZMRZoMye', '$argon2id$v=19$m=1,t=2,p=1$c2FsdA$aGFzaA'])
    t.ok((await quickest(digest)) > readable / 2, digest)
})

t.test('a mebibyte of accents is a wrong password, and is not normalized', async (t) => {
  t.equal(await verifyPassword(`a${'\u0301\u0323'.repeat(250_000)}`), 'wrong')
})
