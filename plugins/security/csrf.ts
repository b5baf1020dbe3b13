import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { remember } from './remember.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** A new secret and token for this browser: what was known before sign-in or sign-out is worth nothing after it. */
    rotateCsrf(): this
  }
}

/** The token did not come back, or came from another browser or site. */
export class Forged extends Error {
  readonly statusCode = 422
}

type Options = { key: KeyObject; origin: string; loopbackNamesAreEqual: boolean }

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A signed double-submit cookie (OWASP, Cross-Site Request Forgery Prevention): the secret is HttpOnly, the token is its HMAC, readable, and
 * comes back in X-XSRF-TOKEN. Sec-Fetch-Site and Origin are checked besides, so that a leaked token is of no use to another site.
 */
export default fp<Options>(
  async (app, { key, origin, loopbackNamesAreEqual }) => {
    const tokenOf = remember((secret) => createHmac('sha256', key).update(secret).digest('base64url'))

    const giveToken = (reply: FastifyReply, secret: string) =>
      reply.giveCookie('XSRF-TOKEN', tokenOf(secret), { httpOnly: false })

    const giveSecret = (reply: FastifyReply) => {
      const secret = randomBytes(24).toString('base64url')
      reply.giveSignedCookie('csrf_secret', secret)
      return giveToken(reply, secret)
    }

    const secretOf = (request: FastifyRequest) => request.signedCookie('csrf_secret')

    const isGenuine = (request: FastifyRequest) => {
      if (request.headers['sec-fetch-site'] === 'cross-site') return false
      if (!isOwnOrigin(request.headers.origin)) return false
      const secret = secretOf(request)
      const token = request.headers['x-xsrf-token'] ?? request.headers['x-csrf-token']
      return secret !== undefined && typeof token === 'string' && equal(token, tokenOf(secret))
    }

    const isOwnOrigin = (from: string | undefined) =>
      from === undefined || from === origin || (loopbackNamesAreEqual && isSameLoopback(from, origin))

    app.decorateReply('rotateCsrf', function () {
      return giveSecret(this)
    })

    app.addHook('onRequest', (request, reply, done) => {
      if (!safeMethods.has(request.method)) return done(isGenuine(request) ? undefined : new Forged())

      const secret = secretOf(request)
      if (secret === undefined) giveSecret(reply)
      else if (request.cookies['XSRF-TOKEN'] !== tokenOf(secret)) giveToken(reply, secret)
      done()
    })
  },
  { name: 'csrf', dependencies: ['cookies'] },
)

function equal(a: string, b: string) {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

function isSameLoopback(from: string, origin: string) {
  if (!URL.canParse(from)) return false
  const [a, b] = [new URL(from), new URL(origin)]
  return (
    a.protocol === b.protocol && a.port === b.port && loopbackNames.has(a.hostname) && loopbackNames.has(b.hostname)
  )
}
