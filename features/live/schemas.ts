import { Type } from 'typebox'

const Identifier = Type.String({ maxLength: 512 })
const TabId = Type.String({ pattern: '^[\\w-]{1,64}$' })
const State = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])

export const StreamQuery = Type.Object({ s: Type.String() })
/** The JSON in the query parameter `s`. */
export const Identifiers = Type.Array(Identifier, { maxItems: 32 })

export const PerformBody = Type.Object({
  identifier: Identifier,
  action: Type.String(),
  data: Type.Optional(Type.Unknown()),
})
export const PresenceBody = Type.Object({ identifier: Identifier, tab_id: TabId, state: Type.Optional(State) })
export const AbsenceBody = Type.Object({ identifier: Identifier, tab_id: TabId })
