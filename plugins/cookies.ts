import type { KeyObject } from 'node:crypto'
import cookie from '@fastify/cookie'
import fp from 'fastify-plugin'

type Options = { secret: KeyObject; secure: boolean }

/** Cookies are HttpOnly, SameSite=Lax and for every path, and Secure when the public address or this request is https. */
export default fp<Options>(
  async (app, { secret, secure }) => {
    await app.register(cookie, {
      secret: secret.export().toString('base64'),
      parseOptions: { path: '/', httpOnly: true, sameSite: 'lax', secure: secure || 'auto' },
    })
  },
  { name: 'cookies' },
)
