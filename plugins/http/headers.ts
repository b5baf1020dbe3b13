import { randomFillSync } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    setSecurityHeaders(reply: FastifyReply): void
  }
  interface FastifyReply {
    cspNonce: string
  }
}

const fixed = {
  'x-frame-options': 'DENY',
  'x-xss-protection': '0',
  'x-content-type-options': 'nosniff',
  'x-permitted-cross-domain-policies': 'none',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
}

type Options = { secure: boolean; connect?: string[] | undefined }

/** Security headers on every response, with a nonce for each (`reply.cspNonce`). `connect` names further origins, for Vite's hot reload. */
export default fp<Options>(
  async (app, { secure, connect = [] }) => {
    const beforeNonces = `default-src 'self'; script-src 'self' 'nonce-`
    const betweenNonces = `'; style-src 'self' 'nonce-`
    const afterNonces = [
      "'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src ${["'self'", ...connect].join(' ')}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      ...(secure ? ['upgrade-insecure-requests'] : []),
    ].join('; ')

    const setSecurityHeaders = (reply: FastifyReply) => {
      const nonce = newNonce()
      reply.cspNonce = nonce
      reply.headers(fixed)
      reply.header('content-security-policy', beforeNonces + nonce + betweenNonces + nonce + afterNonces)
    }

    app.decorateReply('cspNonce', '')
    app.decorate('setSecurityHeaders', setSecurityHeaders)
    app.addHook('onRequest', (_request, reply, done) => {
      setSecurityHeaders(reply)
      done()
    })
  },
  { name: 'headers' },
)

// One call into the random generator serves 256 nonces of 18 bytes: it is the dearest part of a small response.
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
