import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import type { Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import database from '../../plugins/database/index.ts'
import { addressOf } from './address.ts'
import { childEnvironment } from './children.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const settings = {
  NODE_ENV: 'test',
  HOST: 'http://localhost:3000',
  SECRET_KEY_BASE: 'a secret that several processes know, as long as it has to be: 64 characters and more',
  DATABASE_POOL: '6',
  LOG_LEVEL: 'silent',
  MAILER_HOST: '127.0.0.1',
}

/**
 * Starts the server in a separate process. `app` forwards requests to it over real connections, and `app.db` is its
 * database.
 */
export async function startProcess(t: Test, DATABASE_URL: string, environment: Record<string, string> = {}) {
  const port = await freePort()
  const told = { ...settings, PORT: String(port), DATABASE_URL, ...environment }
  const child = spawn(process.execPath, ['server.ts'], { cwd: root, env: { ...childEnvironment(), ...told } })
  t.teardown(() => child.kill('SIGKILL'))
  const complaints: string[] = []
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (text) => complaints.push(text))
  const exit = once(child, 'exit')

  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/up`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(complaints.join(''))
    await sleep(25)
  }

  const app = await forwardTo(port, DATABASE_URL)
  t.teardown(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    complaints,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    kill: () => child.kill('SIGKILL') && exit,
  }
}

/** A proxy to the process, which helpers can use like the application itself. */
async function forwardTo(port: number, url: string) {
  const app = Fastify({ forceCloseConnections: true })
  await app.register(database, { address: addressOf(url), direct: addressOf(url), pool: 2 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))
  app.all('/*', async ({ method, url: path, headers, raw }, reply) => {
    reply.hijack()
    const outgoing = request({ port, method, path, headers, agent: false })
    reply.raw.once('close', () => outgoing.destroy())
    outgoing.on('error', () => reply.raw.destroy())
    outgoing.on('response', (response: IncomingMessage) => {
      reply.raw.writeHead(response.statusCode ?? 502, response.headers)
      reply.raw.flushHeaders()
      pipeline(response, reply.raw, () => {})
    })
    raw.pipe(outgoing)
  })
  return app
}
