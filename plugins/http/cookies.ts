import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Keys } from '../security/keys.ts'
import { remember } from '../security/remember.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Registers a long-lived cookie. If it was signed with a previous secret, the next response signs it again. */
    keepSignedCookie(name: string, options?: Options): void
  }
  interface FastifyRequest {
    /** The raw value that the browser sent. */
    cookie(name: string): string | undefined
    /** The value of a cookie, if we signed it under this name. */
    signedCookie(name: string): string | undefined
  }
  interface FastifyReply {
    giveCookie(name: string, value: string, options?: Options): this
    /** The signature covers the name, so a value signed for one cookie is not accepted as another. */
    giveSignedCookie(name: string, value: string, options?: Options): this
    takeCookie(name: string): this
  }
}

type Options = Pick<CookieSerializeOptions, 'maxAge' | 'httpOnly'>

/**
 * Cookies are HttpOnly, SameSite=Lax and valid for every path. They are Secure when the public address or the request
 * uses https. With a public https address, all cookies except those that scripts read get the `__Host-` prefix, which
 * browsers accept only from this host (RFC 6265bis, 4.1.3.2).
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

    // Other cookies expire before a secret is retired.
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
