import type { Writable } from 'node:stream'
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { destination } from 'pino'
import { clientOf } from './client.ts'
import { Unavailable } from './errors.ts'
import { filterPath } from './filter.ts'

type Target = { level: string; pretty: boolean; to?: Writable | undefined }

/** Lines of JSON for machines, or readable ones for a person. */
export const loggerOptions = ({ level, pretty, to }: Target) =>
  ({
    level,
    serializers: { req: presentRequest, err: presentError },
    // pino-pretty is named and not imported: in production the package is not there
    ...(pretty
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } } }
      : { stream: to ?? destination({ sync: false, minLength: 4096, periodicFlush: 250 }) }), // a write for each line would hold up requests
  }) satisfies FastifyServerOptions['logger']

declare module 'fastify' {
  interface FastifyInstance {
    logRequest(request: FastifyRequest, reply: FastifyReply): void
  }
  interface FastifyContextConfig {
    /** Asked every few seconds by machines: no line for each, or only for what fails. */
    unlogged?: true | 'unless it fails'
  }
}

/** One line for each request, when it has been answered, which also tells of the error that it ended in. */
export default fp<{ userId: (request: FastifyRequest) => number | undefined }>(
  async (app, { userId }) => {
    app.addHook('onResponse', (request, reply, done) => {
      const { unlogged } = request.routeOptions.config
      if (!unlogged || (unlogged === 'unless it fails' && reply.statusCode >= 400)) app.logRequest(request, reply)
      done()
    })

    app.decorate('logRequest', (request, reply) => {
      const line = {
        ...presentRequest(request),
        status: reply.statusCode,
        duration: Math.round(reply.elapsedTime * 10) / 10,
        user: userId(request),
        client: clientOf(request).ipAddress,
      }
      const { fault, log } = request
      if (fault === undefined) log.info(line, 'request')
      // under an attack a stack each time would be one more burden
      else if (fault instanceof Unavailable && !fault.cause)
        log.warn({ ...line, reason: fault.message }, 'request refused')
      else log.error({ ...line, err: fault }, 'request failed')
    })
  },
  { name: 'logging' },
)

const presentRequest = ({ method, url }: { method: string; url: string }) => ({ method, path: filterPath(url) })

type Logged = { type: string; message: string; stack: string; code?: unknown; cause?: Logged | undefined }

/** An error may carry a query with its parameters, a request or a mail: what is not named here stays out of the log. */
function presentError(error: Error): Logged {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Thrown, and no error', stack: '' }
  // Drizzle writes the parameters into the message, and the stack repeats the message
  const message = error.message.replace(/\nparams: .*/s, '')
  return {
    type: error.name,
    message,
    stack: error.stack?.replace(error.message, () => message) ?? '',
    code: 'code' in error ? error.code : undefined,
    cause: error.cause instanceof Error ? presentError(error.cause) : undefined,
  }
}
