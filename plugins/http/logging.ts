import { isIP } from 'node:net'
import type { Writable } from 'node:stream'
import { DrizzleQueryError } from 'drizzle-orm'
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { unwrapQueryError } from '../database/index.ts'
import { Unavailable } from './errors.ts'
import { logOutput } from './log-output.ts'
import { ipAddressOf } from './request.ts'

type Target = { level: string; pretty: boolean; to?: Writable | undefined }

export const loggerOptions = ({ level, pretty, to }: Target) =>
  ({
    level,
    serializers: { req: presentRequest, err: presentError },
    // Pino and some packages repeat the message of an error in their own words.
    hooks: { streamWrite: (line: string) => withoutQueries(line.replace(parametersInJson, '')) },
    // Pino loads it by its name, because pino-pretty is not installed in production.
    ...(pretty && !to
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } } }
      : { stream: to ?? logOutput() }),
  }) satisfies FastifyServerOptions['logger']

declare module 'fastify' {
  interface FastifyContextConfig {
    unlogged?: true | 'unless it fails'
  }
  interface FastifyRequest {
    /** The user for whom a request without a session acts. */
    actsFor?: number | undefined
  }
}

type LoggingOptions = {
  userId(request: FastifyRequest): number | undefined
  hops: number
}

export default fp<LoggingOptions>(async (app, { userId, hops }) => {
  const warned = new Set<string>()

  // With too few hops all clients share one rate limit, with too many they choose their address.
  function checkProxies({ headers, ip }: FastifyRequest) {
    const isMissing = headers['x-forwarded-for'] === undefined
    if (!isMissing && isIP(ip)) return
    const what = isMissing ? 'no X-Forwarded-For' : 'an X-Forwarded-For that is no address'
    if (warned.has(what)) return
    warned.add(what)
    app.log.warn(`A request came with ${what}: TRUST_PROXY must be the number of proxies in front, 0 for none`)
  }

  app.addHook('onResponse', (request, reply, done) => {
    const { unlogged } = request.routeOptions.config
    if (unlogged === true || (unlogged && reply.statusCode < 400)) return done()
    if (hops > 0) checkProxies(request)
    const line = {
      method: request.method,
      path: routePattern(request) ?? unmatchedPath(request.url),
      status: reply.statusCode,
      duration: Math.round(reply.elapsedTime * 10) / 10,
      user: userId(request),
      client: ipAddressOf(request),
    }
    const { fault, log } = request
    if (fault === undefined) log.info(line, 'request')
    // Under attack, a stack trace would only add to the load.
    else if (fault instanceof Unavailable && !fault.cause)
      log.warn({ ...line, reason: fault.message }, 'request refused')
    else log.error({ ...line, err: fault }, 'request failed')
    done()
  })
})

/** The route that matched, such as `/:slug/members`, without the expressions in it. */
export const routePattern = ({ routeOptions: { url } }: FastifyRequest) => url?.replaceAll(/\(.*?\)(?=\/|$)/g, '')

/** Fastify calls this for each hop, nearest first. Given the plain number instead, Fastify trusts no proxy at all. */
export const trusting = (hops: number) => hops > 0 && ((_address: string, hop: number) => hop < hops)

/** For lines of other code. The request's own line has the path. */
const presentRequest = ({ method }: { method: string }) => ({ method })

/** Any part may be a token, which has a capital among its first characters, so the path ends at the first one. */
export const unmatchedPath = (url: string) =>
  (/^[/a-z0-9._-]{1,200}/.exec(url)?.[0] ?? '').replace(/(\/(?:sessions|invitations|join)\/).*/, '$1')

type Logged = { type: string; message: string; code?: unknown; query?: string; stack: string; cause?: Logged }

/** Logs only the fields listed here: an error may carry a query with its parameters, a request or a mail. */
function presentError(error: Error): Logged {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Thrown, and no error', stack: '' }
  const { name, code, cause } = unwrapQueryError(error)
  const message = messageOf(error)
  const presentedCause = cause instanceof Error ? presentError(cause) : undefined
  return {
    type: name,
    message,
    code: code ?? presentedCause?.code,
    query: error instanceof DrizzleQueryError ? error.query : undefined,
    stack: error.stack?.replace(error.message, () => message) ?? '',
    cause: presentedCause,
  }
}

/** Without the parameters of a statement, which Drizzle adds, and of which Postgres quotes those that do not fit. */
export function messageOf(error: Error) {
  const { code, message } = unwrapQueryError(error)
  const withoutParameters = message.replace(/\nparams: .*/s, '')
  return String(code).startsWith('22') ? withoutParameters.replace(/".*"/s, '"…"') : withoutParameters
}

const parametersInJson = /\\nparams: (?:[^"\\]|\\.)*/g

/** Texts of other code name URLs, such as Fastify's of a late answer, and a query may hold a code, a link or a name. */
function withoutQueries(text: string) {
  if (!text.includes('?')) return text
  return text.replace(/[^\s"'`\\]+/g, (word) => {
    const query = word.indexOf('?')
    return query > 0 && word.lastIndexOf('/', query) !== -1 ? word.slice(0, query) : word
  })
}

export const stackOf = (error: Error) => withoutQueries(readableStack(presentError(error)))

const readableStack = ({ stack, query, cause }: Logged): string =>
  [stack, query, cause && `Caused by ${readableStack(cause)}`].filter(Boolean).join('\n')
