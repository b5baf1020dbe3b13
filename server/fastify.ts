import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import type { Writable } from 'node:stream'
import compileSchemas from '@fastify/ajv-compiler'
import Fastify, { LogController } from 'fastify'
import { loggerOptions } from '../plugins/http/logging.ts'
import { trusting } from '../plugins/http/proxies.ts'
import { requestId } from '../plugins/http/request-id.ts'
import { answerUnreadable } from '../plugins/http/unreadable.ts'
import type { Config } from './config.ts'

type Given = { requestTimeout: number; logTo?: Writable | undefined }

// One for all applications of a process, of which the tests start hundreds with the same schemas.
const buildValidator = compileSchemas()

/** Fastify with the options that plugins cannot set. `requestTimeout` is in milliseconds. */
export function createFastify(config: Config, { requestTimeout, logTo }: Given) {
  const app = Fastify({
    logger: loggerOptions({ level: config.logLevel, pretty: config.environment === 'development', to: logTo }),
    logController: new LogController({ disableRequestLogging: true }), // plugins/http/logging.ts logs requests
    trustProxy: trusting(config.proxies),
    bodyLimit: 1_048_576,
    genReqId: requestId,
    requestTimeout,
    handlerTimeout: requestTimeout,
    return503OnClosing: false, // requests that arrive during shutdown are answered, and their connection then closes
    rewriteUrl: trimSlashes,
    routerOptions: {
      ignoreTrailingSlash: true,
      querystringParser: (query) => parse(query), // the default takes ten times as long for a query of pluses
      onBadUrl: answerUnroutable,
      onMaxParamLength: answerUnroutable,
    },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        // Checking and optimizing schemas takes half of their time at a start. Their types have checked them already.
        validateSchema: false,
        meta: false,
        code: { optimize: false },
      },
    },
    schemaController: { compilersFactory: { buildValidator } },
    clientErrorHandler: answerUnreadable,
    http: { requireHostHeader: false }, // plugins/http/unreadable.ts requires it
  })
  return app

  /** Answers a URL that cannot be decoded, or has a far too long segment, like one that is unknown: hooks run, too. */
  function answerUnroutable(_path: string, request: IncomingMessage, response: ServerResponse): void {
    const { url } = request
    app.routing(Object.assign(request, { url: '//-' }), response) // which no route has
    request.url = url
  }
}

/** The URL without a host, and with its trailing slashes collapsed into one, which the router ignores. */
function trimSlashes({ url: given = '/' }: { url?: string | undefined }) {
  const url = given.startsWith('/') ? given : withoutHost(given)
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  // A loop, because a regular expression would take quadratic time on a long run of slashes.
  let last = end
  while (last > 1 && url[last - 1] === '/' && url[last - 2] === '/') last--
  return last === end ? url : url.slice(0, last) + url.slice(end)
}

// A request line may name any host (RFC 9112, 3.2.2), which must not reach a page.
const withoutHost = (url: string) => url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?=\?|$)/, '/')
