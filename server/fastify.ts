import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import type { Writable } from 'node:stream'
import AjvCompiler from '@fastify/ajv-compiler'
import Fastify, { LogController } from 'fastify'
import { apiPrefix } from '../features/paths.ts'
import { requestId } from '../plugins/http/headers.ts'
import { loggerOptions, trusting } from '../plugins/http/logging.ts'
import { RequestMessage } from '../plugins/http/message.ts'
import { answerUnreadable } from '../plugins/http/unreadable.ts'
import type { Config } from './config.ts'
import { trackConnections } from './connections.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The time used to expire tokens, invitations and sessions. Tests pass in a clock that they can move. */
    now(): Date
    lifecycle: {
      /** True once shutdown has begun, so that the health check can steer the load balancer away. */
      closing: boolean
      /** The method and path of each request in progress. */
      unanswered(): string[]
    }
  }
}

type ServerOptions = { now: () => Date; requestTimeout: number; logTo?: Writable | undefined }

const maxRequestsPerSocket = 100

/** Fastify with the options that plugins cannot set. `requestTimeout` is in milliseconds. */
export function createFastify(config: Config, { now, requestTimeout, logTo }: ServerOptions) {
  const app = Fastify({
    logger: loggerOptions({ level: config.logLevel, pretty: config.environment === 'development', to: logTo }),
    logController: new LogController({ disableRequestLogging: true }), // plugins/http/logging.ts logs requests
    trustProxy: trusting(config.proxies),
    genReqId: requestId,
    requestTimeout,
    handlerTimeout: requestTimeout,
    keepAliveTimeout: config.keepAliveSeconds * 1000,
    pluginTimeout: 60_000, // a start on a busy machine takes longer than the ten seconds after which Fastify gives up
    return503OnClosing: false, // requests that arrive during shutdown are answered, and their connection then closes
    rewriteUrl: trimSlashes,
    routerOptions: {
      ignoreTrailingSlash: true,
      querystringParser: (query) => parse(query), // the default takes ten times as long for a query of pluses
      onBadUrl: answerUnroutable,
      onMaxParamLength: answerUnroutable,
    },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    schemaController: { compilersFactory: { buildValidator: compilingLate } },
    clientErrorHandler: answerUnreadable,
    // Answers without a host are ours, with the headers of every response (plugins/http/early-answers.ts).
    http: { IncomingMessage: RequestMessage, requireHostHeader: false },
  })
  app.server.on('checkExpectation', app.routing)
  // Thousands of requests in one piece, sent without waiting for answers, would all be served at once. A browser
  // connects again after the hundredth answer, which says so.
  app.server.maxRequestsPerSocket = maxRequestsPerSocket
  app.server.on('dropRequest', (_request, socket) => socket.destroy())
  const { unanswered, closeUnlessAnswering } = trackConnections(app.server)
  const lifecycle = { closing: false, unanswered }
  app.decorate('now', now)
  app.decorate('lifecycle', lifecycle)
  app.addHook('preClose', async () => {
    lifecycle.closing = true
    setTimeout(closeUnlessAnswering, 1_000).unref() // what is on its way may still arrive
  })
  return app

  /** Answers a URL that cannot be decoded, or has a far too long segment, with a 404 that passes the hooks. */
  function answerUnroutable(_path: string, request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request
    const place = url.startsWith(`${apiPrefix}/`) ? apiPrefix : ''
    app.routing(Object.assign(request, { url: `${place}//-` }), response) // no route has this path
    request.url = url
  }
}

type Build = ReturnType<typeof AjvCompiler>
const buildCompiler = AjvCompiler()

/**
 * Compiles a schema for the first request that needs it: all of them would be most of what a start or a command does.
 */
function compilingLate(...given: Parameters<Build>): ReturnType<Build> {
  const compile = buildCompiler(...given)
  return (schema) => {
    let compiled: ReturnType<typeof compile> | undefined
    const validate = ((value: unknown) => {
      compiled ??= compile(schema)
      const isValid = compiled(value)
      validate.errors = compiled.errors
      return isValid
    }) as ReturnType<typeof compile>
    return validate
  }
}

/** The URL without a host, and with its trailing slashes collapsed into one, which the router ignores. */
function trimSlashes({ url = '/' }: { url?: string | undefined }) {
  // A request line may name any host (RFC 9112, 3.2.2), which must not reach a page.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?=\?|$)/, '/')
  const [path = '', ...queries] = target.split('?')
  let end = path.length
  // A loop, because a regular expression would take quadratic time on a long run of slashes.
  while (end > 1 && path[end - 1] === '/' && path[end - 2] === '/') end--
  return [path.slice(0, end), ...queries].join('?')
}
