import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { destination } from 'pino'

/** Lines of JSON for machines, or readable ones for a person. */
export const loggerOptions = ({ level, pretty }: { level: string; pretty: boolean }) =>
  ({
    level,
    serializers: { req: presentRequest, err: presentError },
    // pino-pretty is named and not imported: in production the package is not there
    ...(pretty
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } } }
      : { stream: destination({ sync: false, minLength: 4096, periodicFlush: 250 }) }), // a write for each line would hold up requests
  }) satisfies FastifyServerOptions['logger']

/** One line for each request, when it has been answered. */
export default fp<{ userId: (request: FastifyRequest) => number | undefined }>(
  async (app, { userId }) => {
    app.addHook('onResponse', (request, reply, done) => {
      const { method, path } = presentRequest(request)
      const duration = Math.round(reply.elapsedTime * 10) / 10
      request.log.info({ method, path, status: reply.statusCode, duration, user: userId(request) }, 'request')
      done()
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

/** The path and query of a request without what would open a door: tokens in the path, and values whose name tells a secret. */
export function filterPath(url: string) {
  const query = url.indexOf('?')
  if (query === -1) return filterSegments(url)
  return `${filterSegments(url.slice(0, query))}?${url
    .slice(query + 1)
    .split('&')
    .map(filterPair)
    .join('&')}`
}

// the router understands an address with a host in front, and encoded letters
const segments = /^((?:https?:\/\/[^/]*)?\/(?:sessions|invitations)\/)[^/]+/

function filterSegments(path: string) {
  if (segments.test(path)) return path.replace(segments, '$1[FILTERED]')
  return path.includes('%') && segments.test(decode(path)) ? decode(path).replace(segments, '$1[FILTERED]') : path
}

const secret = /^(sid|token|invitation|.*_token|password.*)$/i

function filterPair(pair: string) {
  const equals = pair.indexOf('=')
  if (equals === -1 || equals === pair.length - 1) return pair
  const name = pair.slice(0, equals)
  // user[password] is as secret as password
  return decode(name)
    .split(/[[\]]/)
    .some((part) => secret.test(part))
    ? `${name}=[FILTERED]`
    : pair
}

function decode(text: string) {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return text
  }
}
