import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Keys } from '../security/keys.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Registers a long-lived cookie. If it was signed with a previous secret, the next response signs it again. */
    registerSignedCookie(name: string, options?: Options): void
  }
  interface FastifyRequest {
    cookie(name: string): string | undefined
    signedCookie(name: string): string | undefined
  }
  interface FastifyReply {
    setHostCookie(name: string, value: string, options?: Options): this
    /** The signature covers the name, so one cookie's value is not accepted as another. */
    setSignedCookie(name: string, value: string, options?: Options): this
    clearHostCookie(name: string): this
  }
}

type Options = Pick<CookieSerializeOptions, 'maxAge' | 'httpOnly'>

/** With https, those that no script reads get the prefix `__Host-`, which browsers accept only from this host. */
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
    app.decorateReply('setHostCookie', function (name, value, options) {
      return this.setCookie(nameOf(name, options), value, options)
    })
    app.decorateReply('clearHostCookie', function (name) {
      return this.clearCookie(nameOf(name))
    })

    function read(request: FastifyRequest, name: string) {
      const cookie = request.cookie(name)
      const { valid, renew, value } = app.unsignCookie(`${name}=${cookie}`)
      return cookie && valid && value !== null ? { value, isOutdated: renew } : undefined
    }
    app.decorateRequest('signedCookie', function (name) {
      return read(this, name)?.value.slice(name.length + 1)
    })
    app.decorateReply('setSignedCookie', function (name, value, options) {
      return this.setHostCookie(name, app.signCookie(`${name}=${value}`).slice(name.length + 1), options)
    })

    // Other cookies expire before a secret is retired.
    const registered = new Map<string, Options | undefined>()
    app.decorate('registerSignedCookie', (name, options) => void registered.set(name, options))
    if (keys.length === 1) return
    app.addHook('onRequest', (request, reply, done) => {
      for (const [name, options] of registered) {
        const cookie = read(request, name)
        if (cookie?.isOutdated) reply.setSignedCookie(name, cookie.value.slice(name.length + 1), options)
      }
      done()
    })
  },
  { name: 'cookies' },
)
