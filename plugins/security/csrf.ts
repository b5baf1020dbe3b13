import { createHmac, type KeyObject, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isSameMac, type Keys } from './keys.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Pairs from before a sign-in or sign-out become invalid. */
    rotateCsrf(session?: string): this
  }
}

export class Forged extends Error {
  readonly statusCode = 422
}

type CsrfOptions = { keys: Keys; origin: string; loopbackNamesAreEqual: boolean }

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Signed double-submit cookie (OWASP, Cross-Site Request Forgery Prevention). The token is an HMAC over the HttpOnly
 * secret and the session, so pairs from before the sign-in do not verify. Sec-Fetch-Site and Origin are checked as
 * well, so another site cannot use a leaked token.
 */
export default fp<CsrfOptions>(
  async (app, { keys, origin, loopbackNamesAreEqual }) => {
    const mac = (pair: string) => csrfMac(keys[0], pair)

    const setTokenCookie = (reply: FastifyReply, pair: string) =>
      reply.setHostCookie('XSRF-TOKEN', mac(pair), { httpOnly: false })

    const setSecretCookie = (reply: FastifyReply, session: string | undefined) => {
      const secret = randomUUID() // Node draws it ahead, unlike random bytes
      reply.setSignedCookie('csrf_secret', secret)
      return setTokenCookie(reply, pairOf(secret, session))
    }

    /** The secret and session of this request. The session may have ended: asking would cost a query on every page. */
    const pairFor = (request: FastifyRequest) => {
      const secret = request.signedCookie('csrf_secret')
      return secret === undefined ? undefined : pairOf(secret, request.sessionToken())
    }

    const isGenuine = (sent: string[], pair: string) =>
      keys.map((key) => csrfMac(key, pair)).some((genuine) => sent.some((token) => isSameMac(token, genuine)))

    const isFromHere = ({ headers: { origin: from, 'sec-fetch-site': site } }: FastifyRequest) =>
      site !== 'cross-site' &&
      (from === undefined || from === origin || (loopbackNamesAreEqual && isSameLoopback(from, origin)))

    app.decorateReply('rotateCsrf', function (session) {
      return setSecretCookie(this, session)
    })

    app.addHook('onRequest', (request, reply, done) => {
      const pair = pairFor(request)
      if (safeMethods.has(request.method)) {
        if (pair === undefined) setSecretCookie(reply, request.sessionToken())
        else if (request.cookies['XSRF-TOKEN'] !== mac(pair)) setTokenCookie(reply, pair)
        return done()
      }
      if (!isFromHere(request) || pair === undefined) return done(new Forged())
      if (isGenuine(sentWith(request), pair)) return done()
      setTokenCookie(reply, pair) // a page that is still open can retry without a reload
      done(new Forged())
    })
  },
  { name: 'csrf', dependencies: ['cookies'] },
)

const pairOf = (secret: string, session = '') => `${secret}.${session}`
const csrfMac = (key: KeyObject, pair: string) => createHmac('sha256', key).update(pair).digest('base64url')

/** The token for a browser with this secret and session. */
export const csrfToken = (key: KeyObject, secret: string, session?: string) => csrfMac(key, pairOf(secret, session))

// A browser also sends the cookies of parent domains, and only we can tell which of that name is ours.
const sentWith = ({ headers }: FastifyRequest) =>
  String(headers['x-xsrf-token'] ?? headers['x-csrf-token'])
    .split(',')
    .map((token) => token.trim())

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

function isSameLoopback(from: string, origin: string) {
  const sender = URL.parse(from)
  const site = new URL(origin)
  const areLoopback = loopbackNames.has(sender?.hostname ?? '') && loopbackNames.has(site.hostname)
  return areLoopback && sender?.protocol === site.protocol && sender.port === site.port
}
