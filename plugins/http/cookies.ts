import type { KeyObject } from 'node:crypto'
import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import fp from 'fastify-plugin'
import { remember } from '../security/remember.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A cookie as the browser sent it. */
    cookie(name: string): string | undefined
    /** The value of a cookie that we signed under this name. */
    signedCookie(name: string): string | undefined
  }
  interface FastifyReply {
    giveCookie(name: string, value: string, options?: Options): this
    /** Signed together with its name: what was signed as one cookie is worth nothing as another. */
    giveSignedCookie(name: string, value: string, options?: Options): this
    takeCookie(name: string): this
  }
}

type Options = Pick<CookieSerializeOptions, 'maxAge' | 'httpOnly'>

/**
 * Cookies are HttpOnly, SameSite=Lax and for every path, and Secure when the public address or this request is https. Where the public address is,
 * all but those that scripts read are named `__Host-…`, which a browser takes from this host only (RFC 6265bis, 4.1.3.2).
 */
export default fp<{ secret: KeyObject; secure: boolean }>(
  async (app, { secret, secure }) => {
    await app.register(cookie, {
      secret: secret.export().toString('base64'),
      parseOptions: { path: '/', httpOnly: true, sameSite: 'lax', secure: secure || 'auto' },
    })
    const nameOf = (name: string, { httpOnly = true }: Options = {}) => (secure && httpOnly ? `__Host-${name}` : name)

    app.decorateRequest('cookie', function (name) {
      return this.cookies[nameOf(name)]
    })
    app.decorateReply('giveCookie', function (name, value, options) {
      return this.setCookie(nameOf(name, options), value, options)
    })
    app.decorateReply('takeCookie', function (name) {
      return this.clearCookie(nameOf(name))
    })

    // A browser sends the same cookies with every request.
    const unsign = remember((signed) => {
      const { valid, value } = app.unsignCookie(signed)
      return valid ? value : undefined
    })
    app.decorateRequest('signedCookie', function (name) {
      const cookie = this.cookie(name)
      return cookie && unsign(`${name}=${cookie}`)?.slice(name.length + 1)
    })
    app.decorateReply('giveSignedCookie', function (name, value, options) {
      return this.giveCookie(name, app.signCookie(`${name}=${value}`).slice(name.length + 1), options)
    })
  },
  { name: 'cookies' },
)
