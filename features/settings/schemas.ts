import { Type } from 'typebox'
import { Cursor, challengeFields, OptionalText } from '../../plugins/forms/parameters.ts'
import { filterFields } from '../activity/filters.ts'

/** Start time (in milliseconds) and token of the last session on the previous page. */
export const SessionsQuery = Type.Object({
  before: Type.Optional(Type.String({ pattern: '^\\d{1,13}\\.[\\w-]{1,64}$' })),
})

export const ActivityQuery = Type.Object({
  before: Cursor,
  kind: Type.Optional(Type.Enum(['sign_ins', 'security', 'accounts'])),
  ...filterFields,
})
export const ProfileBody = Type.Object({ name: OptionalText })
export const EmailBody = Type.Object({ email: OptionalText, ...challengeFields })
export const PasswordBody = Type.Object({
  password: OptionalText,
  password_confirmation: OptionalText,
  ...challengeFields,
})
