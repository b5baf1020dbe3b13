import { pbkdf2 as pbkdf2WithCallback } from 'node:crypto'
import { promisify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { runWithRequest } from '../../../plugins/http/request.ts'
import { digestOf, enqueueHash, isPassword, requireRoom, verifyPassword } from '../../../plugins/security/digests.ts'
import { sharedApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { nextIp } from '../../helpers/people.ts'

const pbkdf2 = promisify(pbkdf2WithCallback)

t.test('many sign-ins at once are processed as far as there is room, and the others told when to return', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  await browser.visit('/sign_in') // so that each of the following is a single request
  const attempt = async (_: unknown, number: number) => {
    const body = { email: `somebody-${number}@example.com`, password: 'a wrong password' }
    return browser.request('POST', '/sign_in', { body, headers: { 'x-forwarded-for': nextIp() } })
  }
  const responses = await Promise.all(Array.from({ length: 150 }, attempt))
  const of = (status: number) => responses.filter(({ statusCode }) => statusCode === status)
  const refused = of(503)
  t.ok(of(302).length >= 103)
  t.ok(refused.length > 0)
  t.equal(of(302).length + refused.length, 150)

  const page = (await app.inject('/500.html')).body
  for (const { headers, body } of refused) {
    t.match(headers['retry-after'], /^\d+$/)
    t.same([body, headers['cache-control']], [page, 'no-cache'])
  }
  t.equal((await attempt('later', 200)).statusCode, 302, 'later there is room again')
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
  t.throws(requireRoom, { message: 'too many passwords wait to be hashed' })
  resolve()
  t.equal((await outcomes).filter(({ status }) => status === 'fulfilled').length, 103)
  t.equal(most, 3)
  t.doesNotThrow(requireRoom)
})

t.test('a digest that cannot be verified frees its place', async (t) => {
  for (let i = 0; i < 4; i++) await t.rejects(isPassword('a password', 'no digest'))
  t.ok(await isPassword('a password', await digestOf('a password')))
})

t.test('a mebibyte of accents is a wrong password, and is not normalized', async (t) => {
  t.equal(await verifyPassword(`a${'\u0301\u0323'.repeat(250_000)}`), 'wrong')
})
