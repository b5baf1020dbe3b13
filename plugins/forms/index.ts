import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { prefersJson } from '../http/errors.ts'
import { runWithRequest } from '../http/request.ts'
import { instrument } from '../instrumentation.ts'
import { type Text, text } from '../languages/index.ts'
import { Forged } from '../security/csrf.ts'
import { TooManyRequests, tryLater } from '../security/limits/index.ts'
import { refererOf } from '../security/return-path.ts'
import { SignedOut, WrongPerson } from '../security/session-transaction.ts'
import type { Messages } from './flash.ts'
import { nameMessages } from './parameters.ts'

export class Invalid extends Error {
  readonly statusCode = 422
  readonly errors: Messages
  readonly alert: Text | undefined

  constructor(errors: Messages, alert?: Text) {
    super('the input is not valid')
    this.errors = errors
    this.alert = alert
  }
}

/** Refused by a rule. Pages show the reason as an alert, and the API as an error of `field`. */
export class Refused extends Error {
  readonly statusCode = 422
  readonly reason: Text
  readonly field: string
  /** Where it leads. By default back to where the person came from. */
  readonly page: string | undefined

  constructor(reason: Text, { field = 'base', page }: { field?: string; page?: string } = {}) {
    super(reason.text)
    this.reason = reason
    this.field = field
    this.page = page
  }
}

export class Denied extends Refused {
  constructor() {
    super(text("You don't have permission to do that"))
  }
}

export const withMessages = (messages: Messages): Messages =>
  Object.fromEntries(Object.entries(messages).filter(([, list]) => list.length > 0))

/** Throws Invalid if any field has messages. */
export function assertValid(messages: Messages) {
  const errors = withMessages(messages)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

export function checkName(name: string, maxLength: number) {
  assertValid({ name: nameMessages(name, maxLength) })
  return name
}

declare module 'fastify' {
  interface FastifyContextConfig {
    form?: Address
    deniedTo?: Address
  }
}

type FormOptions = {
  origin: string
  isForGuests(path: string): boolean
}

type Address = string | ((request: FastifyRequest) => string)

/** Redirects a rejected form back to itself, with messages or an alert. Other errors go on to the error pages. */
export default fp<FormOptions>(
  async (app, { origin, isForGuests }) => {
    // Query and body form one set of parameters, and the body takes precedence. Names unknown to the route are ignored.
    app.addHook('preValidation', (request, reply, done) => {
      if (request.method === 'GET' || request.method === 'HEAD') return done()
      const body = request.body === undefined ? {} : request.body
      if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        reply.sendError(400)
        return
      }
      request.body = parametersOf(request, body)
      runWithRequest(request, done) // reading a body does not keep the async context
    })

    // An update may be either.
    app.addHook('onRoute', (route) => {
      if (route.method === 'PATCH') route.method = ['PATCH', 'PUT']
    })

    app.setErrorHandler((error, request, reply) => {
      logSecurityEvent(error, request)
      const { config } = request.routeOptions
      if (error instanceof Invalid) {
        const { errors, alert } = error
        if (request.precognitive) return reply.precognize(errors)
        return reply.flash({ errors, ...(alert && { alert }) }).redirect(resolve(config.form, request))
      }
      if (error instanceof SignedOut) return app.redirectToSignIn(reply)
      const json = prefersJson(request.headers.accept)
      if (error instanceof WrongPerson && !error.alwaysJson && !json) {
        const from = refererOf(request, origin)
        return reply.alert(error.alert).redirect(from && !isForGuests(from) ? from : '/')
      }
      if (error instanceof Refused && error.page) return reply.alert(error.reason).redirect(error.page)
      if (error instanceof Refused) {
        const back = error instanceof Denied ? (config.deniedTo ?? config.form) : config.form
        const from = refererOf(request, origin)
        // When a denied page is reloaded, it is its own Referer, and redirecting there would loop.
        const loops = request.method === 'GET' && pathOf(from) === pathOf(request.url)
        return reply.alert(error.reason).redirect(loops || !from ? resolve(back, request) : from)
      }
      if (error instanceof TooManyRequests && !json) {
        return reply
          .header('retry-after', error.retryAfter)
          .flash({ alert: tryLater, retryAfter: error.retryAfter })
          .redirect(refererOf(request, origin) ?? resolve(config.form, request))
      }
      throw error
    })
  },
  { name: 'forms', dependencies: ['csrf', 'errors', 'flash', 'limits', 'precognition', 'security-log'] },
)

function logSecurityEvent(error: unknown, request: FastifyRequest) {
  if (error instanceof Denied) request.security('action', 'denied')
  if (error instanceof Forged) request.security('request', 'forged')
  if (!(error instanceof TooManyRequests)) return
  const { limit } = error
  instrument('limit', { limit })
  if (limit === 'sign_in' || limit === 'guess') request.security('sign_in', 'refused', { limit })
  else request.security('limit', 'hit', { limit })
}

type Shape = { properties?: Record<string, unknown> } | undefined

function parametersOf({ query, routeOptions }: FastifyRequest, body: object) {
  const parameters: Record<string, unknown> = {}
  for (const name of Object.keys((routeOptions.schema?.body as Shape)?.properties ?? {})) {
    const source = [body, query as object].find((each) => Object.hasOwn(each, name))
    if (source) parameters[name] = source[name as keyof typeof source]
  }
  return parameters
}

const pathOf = (url: string | undefined) => url?.split('?', 1)[0]

const resolve = (address: Address = '/', request: FastifyRequest) =>
  typeof address === 'function' ? address(request) : address
