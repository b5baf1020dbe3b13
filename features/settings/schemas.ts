import { Type } from 'typebox'
import { challengeFields, Field, Position } from '../../plugins/forms/parameters.ts'
import { filterFields } from '../activity/filters.ts'

/** Start time (in milliseconds) and token of the last session on the previous page. */
export const SessionsQuery = Type.Object({
  before: Type.Optional(Type.String({ pattern: '^\\d{1,13}\\.[\\w-]{1,64}$' })),
})

export const ActivityQuery = Type.Object({
  before: Position,
  kind: Type.Optional(Type.Enum(['sign_ins', 'security', 'accounts'])),
  ...filterFields,
})
export const ProfileBody = Type.Object({ name: Field })
export const EmailBody = Type.Object({ email: Field, ...challengeFields })
export const PasswordBody = Type.Object({ password: Field, password_confirmation: Field, ...challengeFields })
