import type { FastifyRequest, FastifySchema } from 'fastify'
import { budget, type LimitName } from '../plugins/security/limits/index.ts'

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
