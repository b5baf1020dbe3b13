import type { KeyObject } from 'node:crypto'
import cookie from '@fastify/cookie'
import fp from 'fastify-plugin'
import { remember } from './remember.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The value of a cookie that we signed. */
    signedCookie(name: string): string | undefined
  }
}

type Options = { secret: KeyObject; secure: boolean }

/** Cookies are HttpOnly, SameSite=Lax and for every path, and Secure when the public address or this request is https. */
export default fp<Options>(
  async (app, { secret, secure }) => {
    await app.register(cookie, {
      secret: secret.export().toString('base64'),
      parseOptions: { path: '/', httpOnly: true, sameSite: 'lax', secure: secure || 'auto' },
    })

    // A browser sends the same cookies with every request.
    const unsign = remember((signed) => {
      const { valid, value } = app.unsignCookie(signed)
      return valid ? value : undefined
    })
    app.decorateRequest('signedCookie', function (name) {
      const signed = this.cookies[name]
      return signed ? unsign(signed) : undefined
    })
  },
  { name: 'cookies' },
)
