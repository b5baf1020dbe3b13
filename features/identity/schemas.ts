import { Type } from 'typebox'

const Field = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const LinkQuery = Type.Object({ sid: Type.Optional(Type.String()) })
export const NewResetQuery = Type.Object({ invitation: Type.Optional(Type.String()) })
export const ResetRequestBody = Type.Object({ email: Field, invitation: Field })
export const ResetBody = Type.Object({ sid: Field, password: Field, password_confirmation: Field })
