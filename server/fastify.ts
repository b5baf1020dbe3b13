import type { Writable } from 'node:stream'
import compileSchemas from '@fastify/ajv-compiler'
import Fastify, { LogController } from 'fastify'
import { trimSlashes } from '../plugins/http/addresses.ts'
import { answerUnroutable } from '../plugins/http/errors.ts'
import { loggerOptions } from '../plugins/http/logging.ts'
import { trusting } from '../plugins/http/proxies.ts'
import { requestId } from '../plugins/http/request-id.ts'
import { answerUnreadable } from '../plugins/http/unreadable.ts'
import type { Config } from './config.ts'

type Given = { requestTimeout: number; logTo?: Writable | undefined }

// One for all applications of a process, of which the tests start hundreds with the same schemas.
const buildValidator = compileSchemas()

/** Fastify with the options that plugins cannot set. `requestTimeout` is in milliseconds. */
export const createFastify = (config: Config, { requestTimeout, logTo }: Given) =>
  Fastify({
    logger: loggerOptions({ level: config.logLevel, pretty: config.environment === 'development', to: logTo }),
    logController: new LogController({ disableRequestLogging: true }), // plugins/http/logging.ts logs requests
    trustProxy: trusting(config.proxies),
    bodyLimit: 1_048_576,
    genReqId: requestId,
    requestTimeout,
    handlerTimeout: requestTimeout,
    return503OnClosing: false, // requests that arrive during shutdown are answered, and their connection then closes
    rewriteUrl: trimSlashes,
    routerOptions: { ignoreTrailingSlash: true },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    schemaController: { compilersFactory: { buildValidator } },
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnreadable,
    http: { requireHostHeader: false }, // plugins/http/unreadable.ts requires it
  })
