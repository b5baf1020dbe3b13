import { randomFillSync } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import { newRequestId } from './request-id.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The headers of every response, for responses that do not come from Fastify. */
    securityHeaders(): OutgoingHttpHeaders
  }
  interface FastifyReply {
    nonce: string
  }
}

type Options = { secure: boolean; sources?: Record<string, string[]>; connect?: string[] }

/**
 * Sets the security headers, X-Request-Id and a fresh nonce (`reply.nonce`) on every response. `sources` are
 * origins that the policy allows in addition, by directive, `connect` those of the pages' server in development.
 */
export default fp<Options>(async (app, { secure, sources = {}, connect = [] }) => {
  const fixed = await fixedHeaders()
  const allow = (directive: string, ...own: string[]) =>
    [directive, "'self'", ...own, ...(sources[directive] ?? [])].join(' ')
  const beforeNonces = `default-src 'self'; ${allow('script-src')} 'nonce-`
  const betweenNonces = `'; ${allow('style-src')} 'nonce-`
  const afterNonces = [
    "'",
    "style-src-attr 'unsafe-inline'",
    allow('img-src', 'data:'),
    allow('font-src'),
    allow('connect-src', ...connect),
    ...['frame-src', 'media-src', 'worker-src'].filter((name) => sources[name]).map((name) => allow(name)),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ')

  const policyWith = (nonce: string) => beforeNonces + nonce + betweenNonces + nonce + afterNonces

  app.decorateReply('nonce', '')
  app.decorate('securityHeaders', () => ({
    ...fixed,
    'x-request-id': newRequestId(),
    'content-security-policy': policyWith(newNonce()),
  }))
  app.addHook('onRequest', ({ id }, reply, done) => {
    reply.nonce = newNonce()
    reply.headers(fixed).header('x-request-id', id).header('content-security-policy', policyWith(reply.nonce))
    done()
  })
})

/**
 * Helmet's headers, and the one it does not cover. They are computed once: Helmet builds the same strings for each
 * request, which costs 9 µs, or 6 % of a page. The Content-Security-Policy contains a nonce for each response and is
 * therefore built here.
 */
async function fixedHeaders() {
  const app = Fastify()
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: false,
    dnsPrefetchControl: false,
    frameguard: { action: 'deny' },
    hsts: { maxAge: 63_072_000 },
    ieNoOpen: false,
    originAgentCluster: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  app.head('/', (_request, reply) => reply.code(204).send())
  const { date, connection, ...headers } = (await app.inject({ method: 'HEAD', url: '/' })).headers
  await app.close()
  return { ...headers, 'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()' }
}

// Fill 256 nonces of 18 bytes with one call: the random generator is the most expensive part of a small response.
const pool = Buffer.alloc(18 * 256)
let offset = pool.length

function newNonce() {
  if (offset === pool.length) {
    randomFillSync(pool)
    offset = 0
  }
  offset += 18
  return pool.toString('base64', offset - 18, offset)
}
