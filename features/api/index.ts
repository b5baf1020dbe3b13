import './activities.ts'
import './limits.ts'
import swagger from '@fastify/swagger'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defineLists, type List } from '../../plugins/composition.ts'
import type { Messages } from '../../plugins/forms/flash.ts'
import { Denied, Invalid, Refused } from '../../plugins/forms/index.ts'
import { acceptJson } from '../../plugins/http/bodies.ts'
import { instrument } from '../../plugins/instrumentation.ts'
import { text, translateText } from '../../plugins/languages/index.ts'
import { english } from '../../plugins/languages/translate.ts'
import { TooManyRequests } from '../../plugins/security/limits/index.ts'
import { SignedOut } from '../../plugins/security/session-transaction.ts'
import { RequirementUnmet } from '../accounts/access.ts'
import { apiPrefix } from '../paths.ts'
import { authenticate, type TokenKind } from './clients.ts'
import { accountRoutes, invitationRoutes, memberRoutes } from './routes.ts'

// What resources of other features need (docs/guide.md).
export { accountOf, countChange } from './clients.ts'
export { ItemParams, listOf, operation, SlugParams } from './schemas.ts'
export { tokens as apiTokens } from './tokens/index.ts'

/** Routes that need a token, declared with `operation()`. */
export type ApiResource = FastifyPluginAsyncTypebox

declare module 'fastify' {
  interface FastifyInstance {
    /** Of other options and features of a product. */
    tokenKinds: List<TokenKind>
    apiResources: List<ApiResource>
  }
}

/** On the whole app, since what fills the lists is visited with a browser. */
export const defineApi = (app: FastifyInstance) => defineLists(app, 'tokenKinds', 'apiResources')

/** For programs with a token. Cookies are neither read nor set, so no other site can make a browser use it. */
export const api = async (served: FastifyInstance) => served.register(operations, { prefix: apiPrefix })

async function operations(app: FastifyInstance) {
  const { origin, appName } = app.site
  const kinds = [...app.tokenKinds]
  acceptJson(app)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) => reply.sendError(404))
  app.decorateRequest('jsonOnly', true)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    // Nothing here only validates, so a client that asks for that must not write.
    if (request.headers.precognition === 'true') return reply.sendError(400)
  })

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: appName, version: '1' },
      servers: [{ url: origin }],
      components: { securitySchemes: Object.fromEntries(kinds.map(bearerOf)) },
      security: kinds.map(({ scheme }) => ({ [scheme]: [] })),
    },
  })
  app.get('/openapi.json', { schema: { hide: true }, config: { forEveryone: true } }, () => app.swagger())

  await app.register(async (guarded) => {
    guarded.addHook('onRequest', authenticate)
    guarded.register(accountRoutes)
    guarded.register(memberRoutes)
    guarded.register(invitationRoutes)
    for (const resource of app.apiResources) guarded.register(resource)
  })
}

const bearerOf = ({ scheme, description }: TokenKind) =>
  [scheme, { type: 'http', scheme: 'bearer', description }] as const

/** Answers in English, whatever the client accepts. */
function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof SignedOut) return reply.header('www-authenticate', 'Bearer').sendError(401)
  const { user, accountId } = request.apiClient ?? {}
  const about = { user: user?.id, ...(accountId && { account: accountId }) }
  if (error instanceof Denied) request.security('action', 'denied', about)
  if (error instanceof Denied || error instanceof RequirementUnmet) return reply.sendError(403)
  if (error instanceof Invalid) return sendErrors(reply, error.errors)
  if (error instanceof Refused) return sendErrors(reply, { [error.field]: [error.reason] })
  const { validation, validationContext: part } = error
  if (validation) {
    if (part === 'params') return reply.sendError(404)
    if (validation.some(({ instancePath, keyword }) => instancePath === '' && keyword === 'type'))
      return reply.sendError(400)
    return sendErrors(reply, messagesOf(validation))
  }
  if (error instanceof TooManyRequests) {
    instrument('limit', { limit: error.limit })
    request.security('limit', 'hit', { limit: error.limit, ...about })
  }
  throw error
}

function sendErrors(reply: FastifyReply, messages: Messages) {
  const inEnglish = Object.entries(messages).map(([field, list]) => [
    field,
    list.map((message) => translateText(english, message)),
  ])
  return reply.code(422).send({ status: 422, error: 'Unprocessable Content', errors: Object.fromEntries(inEnglish) })
}

/** What the schema says of a value, in the words of the forms. */
function messagesOf(validation: NonNullable<FastifyError['validation']>): Messages {
  return Object.fromEntries(
    validation.map(({ keyword, instancePath, params }) => {
      if (keyword === 'required') return [String(params.missingProperty), [text("can't be blank")]]
      const field = instancePath.slice(1)
      return [field, [keyword === 'enum' ? text('is not included in the list') : text('is invalid')]]
    }),
  )
}
