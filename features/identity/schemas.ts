import { Type } from 'typebox'
import { LinkToken } from '../../plugins/forms/parameters.ts'

const Field = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const LinkQuery = Type.Object({ sid: LinkToken })
export const NewResetQuery = Type.Object({ invitation: LinkToken })
export const ResetRequestBody = Type.Object({ email: Field, invitation: LinkToken })
export const ResetBody = Type.Object({ sid: LinkToken, password: Field, password_confirmation: Field })
