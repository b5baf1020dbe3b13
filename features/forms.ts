import type { FastifyRequest, FastifySchema } from 'fastify'
import { invitationIn, LinkToken } from '../plugins/forms/parameters.ts'
import { budget, type LimitName } from '../plugins/security/limits/index.ts'
import { returnToIn } from '../plugins/security/return-path.ts'
import type { Path } from './paths.ts'

type Form = string | ((request: FastifyRequest) => string)
type Limit = LimitName | ReturnType<typeof budget>

/** Options of a route that takes a form: where the form is, its limit, and what it sends. */
export const formRoute = <const Schema extends FastifySchema = object>(
  form: Form,
  limit: Limit,
  schema = {} as Schema,
) => ({
  schema,
  config: { form, rateLimit: typeof limit === 'string' ? budget(limit) : limit },
})

/** The same for a form that is also checked while people type. */
export function checkedRoute<const Schema extends FastifySchema>(form: Form, limit: Limit, schema: Schema) {
  const { config } = formRoute(form, limit)
  return { schema, config: { ...config, precognition: true as const } }
}

/** For checks that change nothing and cost nothing. */
export const profileChecksBudget = budget('profile_change', { check: 'uncounted' })

/** Where a sign-in leads. */
export type SignInContext = { invitation?: string; returnTo?: string | undefined }

/** Its fields, in every form that begins a sign-in. */
export const signInFields = { invitation: LinkToken, return_to: LinkToken }

export function contextOfForm({ body, server }: FastifyRequest) {
  const { invitation, return_to } = (body ?? {}) as { invitation?: unknown; return_to?: unknown }
  return { invitation: invitationIn(invitation), returnTo: returnToIn({ return_to }, server.site.origin) }
}

/** The same on a page, as it says it. */
export function contextOfQuery(request: FastifyRequest) {
  const { flashStore, site } = request.server
  const query = request.query as { invitation?: unknown; return_to?: unknown }
  const invitation = invitationIn(query.invitation)
  const returnTo = returnToIn(query, site.origin) ?? flashStore.read(request)?.returnTo
  return { ...(invitation && { invitation }), ...(returnTo && { return_to: returnTo }) }
}

/** The page of a form, with what the form carries. */
export const formInContext = (page: (invitation?: string, returnTo?: string) => Path) => (request: FastifyRequest) => {
  const { invitation, returnTo } = contextOfForm(request)
  return page(invitation, returnTo).url
}
