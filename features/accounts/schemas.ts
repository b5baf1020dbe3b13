import { Type } from 'typebox'
import { Cursor, challengeFields, OptionalText } from '../../plugins/forms/parameters.ts'
import { filterFields } from '../activity/filters.ts'
import { reserved } from './slugs.ts'

export const AccountBody = Type.Object({ name: OptionalText })
export const SettingsBody = Type.Object({
  name: OptionalText,
  require_second_factor: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  ...challengeFields,
})
export const RoleBody = Type.Object({ role: OptionalText })
export const InviteeBody = Type.Object({ email: OptionalText, role: OptionalText })

export const AccountParams = Type.Object({ slug: Type.String() })
/** Of something in an account. */
export const ItemParams = Type.Object({ slug: Type.String(), id: Type.String() })
export const MembersQuery = Type.Object({
  after: Cursor,
  invited_before: Cursor,
  q: Type.Optional(Type.String()),
  role: Type.Optional(Type.String()),
})
export const ActivityQuery = Type.Object({
  before: Cursor,
  kind: Type.Optional(Type.Enum(['members', 'account'])),
  ...filterFields,
})

/** Matches account URLs. A reserved or malformed slug is a 404 for guests and users alike. */
export const accountRoute = `/:slug(^(?!(?:${[...reserved].join('|')})$)[a-z0-9-]{3,40}$)`
