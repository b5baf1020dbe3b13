import { once } from 'node:events'
import { request } from 'node:http'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../plugins/database/index.ts'
import type { Browser } from './browser.ts'

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type Write = [method: Method, path: string, body?: object]

/** The current state of everything that writes can change. */
export const everything = async (db: Database) => {
  const tables = ['users', 'accounts', 'memberships', 'invitations', 'presences', 'activities', 'pgboss.job']
  return Promise.all(tables.map((table) => db.execute(sql.raw(`select * from ${table} order by 1, 2, 3`))))
}

/** A request over a real connection. A body written at once arrives together with the headers. */
const sending = (app: FastifyInstance, browser: Browser, method: Method, path: string) =>
  request(`${app.listeningOrigin}${path}`, {
    method,
    agent: false,
    headers: {
      ...browser.headers,
      ...browser.csrfHeader(),
      cookie: browser.cookieHeader(),
      'content-type': 'application/json',
    },
  })

/** Sends the headers, and the body only once the application waits for it and `meanwhile` is done. */
export async function sendSlowly(
  app: FastifyInstance,
  browser: Browser,
  write: Write,
  meanwhile: () => Promise<unknown>,
) {
  const [method, path, body = {}] = write
  const outgoing = sending(app, browser, method, path).setHeader('transfer-encoding', 'chunked')
  const answered = once(outgoing, 'response')
  const arrived = once(app.server, 'request')
  outgoing.flushHeaders()
  const [incoming] = await arrived
  await once(incoming, 'resume') // the session has been loaded by now
  await meanwhile()
  outgoing.end(JSON.stringify(body))
  const [response] = await answered
  response.resume()
  return response
}
