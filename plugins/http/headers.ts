import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import helmet from '@fastify/helmet'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { appendVary } from '../inertia/redirects.ts'
import { isForPeople } from '../languages/index.ts'
import { runWithRequest } from './request.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page lies behind a token in its URL, which search engines must not list. */
    noindex?: true
  }
  interface FastifyReply {
    nonce: string
  }
}

type HeaderOptions = { secure: boolean; sources?: Record<string, string[]>; connect?: string[] }

/** `sources` are additional origins by directive, `connect` those of Vite in development. */
export default fp<HeaderOptions>(
  async (app, { secure, sources = {}, connect = [] }) => {
    const policy = policyOf({ secure, sources, connect })
    app.decorateReply('nonce', '')
    app.decorateRequest('queries')
    app.addHook('onRequest', (request, reply, done) => {
      request.queries = { count: 0, ms: 0 }
      reply.nonce = randomUUID() // Node draws it ahead, unlike random bytes
      reply
        .header('x-request-id', request.id)
        .header('content-security-policy', policy(reply.nonce))
        .header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()')
      if (request.routeOptions.config.noindex) reply.header('x-robots-tag', 'noindex')
      runWithRequest(request, done)
    })

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

    app.addHook('onSend', (request, reply, _payload, done) => {
      // For writes, it would reveal how long a password check took.
      if (request.method === 'GET' || request.method === 'HEAD') reply.header('server-timing', timingOf(request, reply))
      if (isForPeople(reply) && !reply.hasHeader('content-language')) {
        reply.header('content-language', request.language.tag)
        if (!request.auth) appendVary(reply, 'Accept-Language')
      }
      done()
    })
  },
  { name: 'headers', dependencies: ['languages'] },
)

/**
 * The Content-Security-Policy for a nonce. Helmet would join the directives without the space that the contract has.
 */
function policyOf({ secure, sources, connect }: Required<HeaderOptions>) {
  const allow = (directive: string, ...origins: string[]) =>
    [directive, "'self'", ...origins, ...(sources[directive] ?? [])].join(' ')
  const added = ['frame-src', 'media-src', 'worker-src'].filter((name) => sources[name])
  const constants = [
    "style-src-attr 'unsafe-inline'",
    allow('img-src', 'data:'),
    allow('font-src'),
    allow('connect-src', ...connect),
    ...added.map((name) => allow(name)),
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
  const scripts = allow('script-src')
  const styles = allow('style-src')
  return (nonce: string) => `default-src 'self'; ${scripts} 'nonce-${nonce}'; ${styles} 'nonce-${nonce}'; ${constants}`
}

/** The proxy's id if it is well-formed, otherwise a new one. */
export function requestId({ headers: { 'x-request-id': proxyId } }: Pick<IncomingMessage, 'headers'>) {
  return typeof proxyId === 'string' && /^[\w-]{1,64}$/.test(proxyId) ? proxyId : randomUUID()
}

export function timingOf({ queries: { count, ms } }: FastifyRequest, reply: FastifyReply) {
  return `app;dur=${reply.elapsedTime.toFixed(2)}, db;desc="${count} queries";dur=${ms.toFixed(2)}`
}
