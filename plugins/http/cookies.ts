import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import fp from 'fastify-plugin'
import type { Keys } from '../security/keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    cookie(name: string): string | undefined
    signedCookie(name: string): string | undefined
  }
  interface FastifyReply {
    setHostCookie(name: string, value: string, options?: CookieOptions): this
    /** The signature covers the name, so one cookie's value is not accepted as another. */
    setSignedCookie(name: string, value: string, options?: CookieOptions): this
    clearHostCookie(name: string): this
  }
}

type CookieOptions = Pick<CookieSerializeOptions, 'maxAge' | 'httpOnly'>

/** With https, those that no script reads get the prefix `__Host-`, which browsers accept only from this host. */
export default fp<{ keys: Keys; secure: boolean }>(
  async (app, { keys, secure }) => {
    await app.register(cookie, {
      secret: keys.map((key) => key.export().toString('base64')),
      parseOptions: { path: '/', httpOnly: true, sameSite: 'lax', secure: secure || 'auto' },
    })
    const nameOf = (name: string, { httpOnly = true }: CookieOptions = {}) =>
      secure && httpOnly ? `__Host-${name}` : name

    app.decorateRequest('cookie', function (name) {
      return this.cookies[nameOf(name)]
    })
    app.decorateReply('setHostCookie', function (name, value, options) {
      return this.setCookie(nameOf(name, options), value, options)
    })
    app.decorateReply('clearHostCookie', function (name) {
      return this.clearCookie(nameOf(name))
    })

    app.decorateRequest('signedCookie', function (name) {
      const cookie = this.cookie(name)
      const { valid, value } = app.unsignCookie(`${name}=${cookie}`)
      return cookie && valid ? value?.slice(name.length + 1) : undefined
    })
    app.decorateReply('setSignedCookie', function (name, value, options) {
      return this.setHostCookie(name, app.signCookie(`${name}=${value}`).slice(name.length + 1), options)
    })
  },
  { name: 'cookies' },
)
