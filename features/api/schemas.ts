import { type TSchema, Type } from 'typebox'
import { roles } from '../../drizzle/schema.ts'
import { Cursor } from '../../plugins/forms/parameters.ts'
import { phraseOf } from '../../plugins/http/errors.ts'
import { invitableRoles } from '../accounts/rights.ts'

const Id = Type.Integer()
const Time = Type.String({ format: 'date-time' })
const Role = Type.Enum([...roles])
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const SlugParams = Type.Object({ slug: Type.String({ pattern: '^[a-z0-9-]{3,40}$' }) })
export const ItemParams = Type.Object({ ...SlugParams.properties, id: Type.String({ pattern: '^\\d{1,15}$' }) })
export const ListQuery = Type.Object({ after: Cursor })
export const ActivityQuery = Type.Object({
  after: Cursor,
  since: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      description: 'Only what happened after the activity with this id, oldest first',
    }),
  ),
})
export const positionIn = ({ after }: { after?: string }) => (after === undefined ? undefined : Number(after))

export const NameBody = Type.Object({ name: Type.String() })
export const RoleBody = Type.Object({ role: Role })
export const InvitationBody = Type.Object({ email: Type.String(), role: Type.Enum(invitableRoles) })

export const User = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  verified: Type.Boolean(),
  created_at: Time,
  updated_at: Time,
})

export const Account = Type.Object({ id: Id, name: Type.String(), slug: Type.String(), role: Role, created_at: Time })

export const Member = Type.Object({
  id: Id,
  user_id: Id,
  name: Type.String(),
  email: Type.String(),
  role: Role,
  joined_at: Time,
})

export const Invitation = Type.Object({
  id: Id,
  email: Type.String(),
  role: Role,
  created_at: Time,
  expires_at: Time,
})

export const Activity = Type.Object({
  id: Id,
  type: Type.String(),
  actor_name: nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  created_at: Time,
})

/** A page of a list. `next` is the `after` of the next one: the id of the last item, unless the cursor is another. */
export const listOf = <T extends TSchema, C extends TSchema = typeof Id>(item: T, cursor?: C) =>
  Type.Object({ data: Type.Array(item), next: nullable(cursor ?? Id) })

const Failure = Type.Object({ status: Type.Integer(), error: Type.String(), message: Type.Optional(Type.String()) })
const Invalid = Type.Object({
  ...Failure.properties,
  errors: Type.Record(Type.String(), Type.Array(Type.String())),
})

type Operation = {
  params?: TSchema
  querystring?: TSchema
  body?: TSchema
  success: Record<number, TSchema>
}

/** The schema of a route, with all its responses, which are serialized by it and stand in the document. */
export function operation<const Schemas extends Operation>(
  operationId: string,
  summary: string,
  { success, ...schema }: Schemas,
) {
  const { params, querystring, body } = schema
  const statuses = [
    401,
    429,
    ...(params ? [403, 404] : []),
    ...(body ? [400] : []),
    ...(body || querystring ? [422] : []),
  ]
  const failures = statuses.map((status) => {
    return [status, { ...(status === 422 ? Invalid : Failure), description: phraseOf(status) }]
  })
  const response = { ...success, ...Object.fromEntries(failures) } as Schemas['success']
  return { schema: { operationId, summary, ...schema, response } }
}
