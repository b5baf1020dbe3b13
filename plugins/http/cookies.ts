import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Keys } from '../security/keys.ts'
import { remember } from '../security/remember.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** A cookie that lives long: under a previous secret it is signed anew as soon as it comes. */
    keepSignedCookie(name: string, options?: Options): void
  }
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
export default fp<{ keys: Keys; secure: boolean }>(
  async (app, { keys, secure }) => {
    await app.register(cookie, {
      secret: keys.map((key) => key.export().toString('base64')),
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
      const { valid, renew, value } = app.unsignCookie(signed)
      return valid && value !== null ? { value, isOutdated: renew } : undefined
    })
    const read = (request: FastifyRequest, name: string) => {
      const cookie = request.cookie(name)
      return cookie ? unsign(`${name}=${cookie}`) : undefined
    }
    app.decorateRequest('signedCookie', function (name) {
      return read(this, name)?.value.slice(name.length + 1)
    })
    app.decorateReply('giveSignedCookie', function (name, value, options) {
      return this.giveCookie(name, app.signCookie(`${name}=${value}`).slice(name.length + 1), options)
    })

    // Others do not live long enough to see a secret go.
    const kept = new Map<string, Options | undefined>()
    app.decorate('keepSignedCookie', (name, options) => void kept.set(name, options))
    if (keys.length === 1) return
    app.addHook('onRequest', (request, reply, done) => {
      for (const [name, options] of kept) {
        const cookie = read(request, name)
        if (cookie?.isOutdated) reply.giveSignedCookie(name, cookie.value.slice(name.length + 1), options)
      }
      done()
    })
  },
  { name: 'cookies' },
)
