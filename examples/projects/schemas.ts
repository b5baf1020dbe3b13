import { type Static, Type } from 'typebox'
import { OptionalText } from '../../plugins/forms/parameters.ts'
import { PositionCursor } from './positions.ts'

export type ProjectBody = Static<typeof ProjectBody>
export const ProjectBody = Type.Object({
  name: OptionalText,
  client: OptionalText,
  rate: OptionalText,
  currency: OptionalText,
  due_on: OptionalText,
})
export const PreferencesBody = Type.Object({ reminders: OptionalText })
export const ProjectsQuery = Type.Object({ after: PositionCursor, currency: Type.Optional(Type.String()) })
