import { type Static, Type } from 'typebox'
import { OptionalText, PositionCursor } from '../../plugins/forms/parameters.ts'

export type ProjectBody = Static<typeof ProjectBody>
export const ProjectBody = Type.Object({
  name: OptionalText,
  client: OptionalText,
  rate: OptionalText,
  currency: OptionalText,
  due_on: OptionalText,
})
export const ProjectsQuery = Type.Object({ after: PositionCursor })
