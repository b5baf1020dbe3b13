import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { memoize } from '../memoize.ts'
import type { Keys } from './keys.ts'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Issues a new secret and token, bound to the given session or to none. Pairs from before a sign-in or sign-out are
     * no longer valid.
     */
    rotateCsrf(session?: string): this
  }
}

/** The CSRF token is missing or wrong, or the request comes from another site. */
export class Forged extends Error {
  readonly statusCode = 422
}

type Options = {
  keys: Keys
  origin: string
  loopbackNamesAreEqual: boolean
  /**
   * The session token from the request's cookie, whether or not the session is still alive: checking would cost a query
   * on every page.
   */
  sessionOf: (request: FastifyRequest) => string | undefined
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Signed double-submit cookie (OWASP, Cross-Site Request Forgery Prevention). The secret is HttpOnly. The token is an
 * HMAC over the secret and the session, readable by scripts, and returned in X-XSRF-TOKEN. Pairs from before the
 * sign-in or from another browser do not verify. Sec-Fetch-Site and Origin are checked as well, so another site cannot
 * use a leaked token.
 */
export default fp<Options>(
  async (app, { keys: [key, ...previous], origin, loopbackNamesAreEqual, sessionOf }) => {
    app.registerSignedCookie('csrf_secret')
    const mac = memoize((pair) => csrfMac(key, pair))
    const pairOf = (secret: string, session = '') => `${secret}.${session}`
    const tokenOf = (secret: string, session?: string) => mac(pairOf(secret, session))

    const setTokenCookie = (reply: FastifyReply, token: string) =>
      reply.setHostCookie('XSRF-TOKEN', token, { httpOnly: false })

    const setSecretCookie = (reply: FastifyReply, session: string | undefined) => {
      const secret = randomBytes(24).toString('base64url')
      reply.setSignedCookie('csrf_secret', secret)
      return setTokenCookie(reply, tokenOf(secret, session))
    }

    /** The secret and session of this request, or undefined without a secret that we signed. */
    const pairFor = (request: FastifyRequest) => {
      const secret = request.signedCookie('csrf_secret')
      return secret === undefined ? undefined : pairOf(secret, sessionOf(request))
    }

    const isGenuine = (sent: unknown, pair: string) =>
      isSame(sent, mac(pair)) || previous.some((key) => isSame(sent, csrfMac(key, pair)))

    const isFromHere = ({ headers }: FastifyRequest) =>
      headers['sec-fetch-site'] !== 'cross-site' && isOwnOrigin(headers.origin)

    const isOwnOrigin = (from: string | undefined) =>
      from === undefined || from === origin || (loopbackNamesAreEqual && isSameLoopback(from, origin))

    app.decorateReply('rotateCsrf', function (session) {
      return setSecretCookie(this, session)
    })

    app.addHook('onRequest', (request, reply, done) => {
      const pair = pairFor(request)
      if (safeMethods.has(request.method)) {
        if (pair === undefined) setSecretCookie(reply, sessionOf(request))
        else if (request.cookies['XSRF-TOKEN'] !== mac(pair)) setTokenCookie(reply, mac(pair))
        return done()
      }
      if (!isFromHere(request) || pair === undefined) return done(new Forged())
      if (isGenuine(sentWith(request), pair)) return done()
      setTokenCookie(reply, mac(pair)) // a page that is still open can retry without a reload
      done(new Forged())
    })
  },
  { name: 'csrf', dependencies: ['cookies'] },
)

export const csrfMac = (key: KeyObject, pair: string) => createHmac('sha256', key).update(pair).digest('base64url')

const sentWith = ({ headers }: FastifyRequest) => headers['x-xsrf-token'] ?? headers['x-csrf-token']

function isSame(sent: unknown, token: string) {
  const [left, right] = [Buffer.from(String(sent)), Buffer.from(token)]
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
