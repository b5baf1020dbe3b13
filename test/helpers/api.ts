import type { FastifyInstance } from 'fastify'
import type { Browser } from './browser.ts'
import { password } from './people.ts'

/** Creates a token as the page does, and returns its secret. */
export async function createToken(browser: Browser, { scope = 'write', days = 90 } = {}) {
  const token = { name: 'CI', scope, days, password_challenge: password }
  const page = await browser.submit('POST', '/settings/tokens', token)
  if (typeof page.flash?.token !== 'string') throw new Error(`no token was created: ${JSON.stringify(page)}`)
  return page.flash.token
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request to the API with a token, or without one. */
export const call = (app: FastifyInstance, token: string | undefined, method: Method, path: string, payload?: object) =>
  app.inject({
    method,
    url: `/api/v1${path}`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })
