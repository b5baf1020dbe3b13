import { Type } from 'typebox'

const Field = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const CodeBody = Type.Object({ code: Field })
