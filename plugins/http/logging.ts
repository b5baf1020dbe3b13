import type { Writable } from 'node:stream'
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { destination } from 'pino'
import { ipAddressOf } from './client.ts'
import { Unavailable } from './errors.ts'
import { filterPath } from './filter.ts'

type Target = { level: string; pretty: boolean; to?: Writable | undefined }

/** JSON lines in production, readable ones in development. */
export const loggerOptions = ({ level, pretty, to }: Target) =>
  ({
    level,
    serializers: { req: presentRequest, err: presentError },
    // named instead of imported, because pino-pretty is not installed in production
    ...(pretty
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } } }
      : // buffered: writing each line separately would block the event loop
        { stream: to ?? destination({ sync: false, minLength: 4096, periodicFlush: 250 }) }),
  }) satisfies FastifyServerOptions['logger']

declare module 'fastify' {
  interface FastifyInstance {
    logRequest(request: FastifyRequest, reply: FastifyReply): void
  }
  interface FastifyContextConfig {
    /** For routes that machines poll every few seconds: log nothing, or only failures. */
    unlogged?: true | 'unless it fails'
  }
}

/** Logs one line for each request once it has been answered, together with its error, if any. */
export default fp<{ userId: (request: FastifyRequest) => number | undefined }>(
  async (app, { userId }) => {
    app.addHook('onResponse', (request, reply, done) => {
      const { unlogged } = request.routeOptions.config
      if (!unlogged || (unlogged === 'unless it fails' && reply.statusCode >= 400)) app.logRequest(request, reply)
      done()
    })

    app.decorate('logRequest', (request, reply) => {
      const line = {
        method: request.method,
        path: filterPath(request.url),
        status: reply.statusCode,
        duration: Math.round(reply.elapsedTime * 10) / 10,
        user: userId(request),
        client: ipAddressOf(request),
      }
      const { fault, log } = request
      if (fault === undefined) log.info(line, 'request')
      // no stack trace: under attack it would only add to the load
      else if (fault instanceof Unavailable && !fault.cause)
        log.warn({ ...line, reason: fault.message }, 'request refused')
      else log.error({ ...line, err: fault }, 'request failed')
    })
  },
  { name: 'logging' },
)

const presentRequest = ({ method, url }: { method: string; url: string }) => ({ method, path: filterPath(url) })

type Logged = { type: string; message: string; stack: string; code?: unknown; cause?: Logged | undefined }

/** Logs only the fields listed here: an error may carry a query with its parameters, a request or a mail. */
function presentError(error: Error): Logged {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Thrown, and no error', stack: '' }
  // Drizzle puts the parameters into the message, and the stack repeats the message
  const message = error.message.replace(/\nparams: .*/s, '')
  return {
    type: error.name,
    message,
    stack: error.stack?.replace(error.message, () => message) ?? '',
    code: 'code' in error ? error.code : undefined,
    cause: error.cause instanceof Error ? presentError(error.cause) : undefined,
  }
}
