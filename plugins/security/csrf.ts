import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Keys } from './keys.ts'
import { remember } from './remember.ts'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * A new secret and token for this browser, which from now on holds this session or none: what was known before sign-in or sign-out is worth
     * nothing after it.
     */
    rotateCsrf(session?: string): this
  }
}

/** The token did not come back, or came from another browser or site. */
export class Forged extends Error {
  readonly statusCode = 422
}

type Options = {
  keys: Keys
  origin: string
  loopbackNamesAreEqual: boolean
  /** The session that a request's cookie names, be it alive or not: what costs a query cannot be asked for every page. */
  sessionOf: (request: FastifyRequest) => string | undefined
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A signed double-submit cookie (OWASP, Cross-Site Request Forgery Prevention): the secret is HttpOnly, the token an HMAC over it and the session,
 * readable, and comes back in X-XSRF-TOKEN. A pair from before a sign-in, or of somebody else, is worth nothing. Sec-Fetch-Site and Origin are checked
 * besides, so that a leaked token is of no use to another site.
 */
export default fp<Options>(
  async (app, { keys: [key, ...previous], origin, loopbackNamesAreEqual, sessionOf }) => {
    app.keepSignedCookie('csrf_secret')
    const mac = remember((pair) => csrfMac(key, pair))
    const pairOf = (secret: string, session = '') => `${secret}.${session}`
    const tokenOf = (secret: string, session?: string) => mac(pairOf(secret, session))

    const giveToken = (reply: FastifyReply, token: string) => reply.giveCookie('XSRF-TOKEN', token, { httpOnly: false })

    const giveSecret = (reply: FastifyReply, session: string | undefined) => {
      const secret = randomBytes(24).toString('base64url')
      reply.giveSignedCookie('csrf_secret', secret)
      return giveToken(reply, tokenOf(secret, session))
    }

    /** What belongs to the cookies of a request; undefined when it brings no secret of ours. */
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
      return giveSecret(this, session)
    })

    app.addHook('onRequest', (request, reply, done) => {
      const pair = pairFor(request)
      if (safeMethods.has(request.method)) {
        if (pair === undefined) giveSecret(reply, sessionOf(request))
        else if (request.cookies['XSRF-TOKEN'] !== mac(pair)) giveToken(reply, mac(pair))
        return done()
      }
      if (!isFromHere(request) || pair === undefined) return done(new Forged())
      if (isGenuine(sentWith(request), pair)) return done()
      giveToken(reply, mac(pair)) // so that the next try of a page that is open here needs no reload
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
