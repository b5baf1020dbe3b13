import { Type } from 'typebox'
import { LinkToken, OptionalText } from '../../plugins/forms/parameters.ts'

export const LinkFields = Type.Object({ sid: LinkToken })
export const NewResetQuery = Type.Object({ invitation: LinkToken })
// Whatever is in it gets the same answer.
export const ResetRequestBody = Type.Object({
  email: Type.Optional(Type.Unknown()),
  invitation: Type.Optional(Type.Unknown()),
})
export const ResetBody = Type.Object({ sid: LinkToken, password: OptionalText, password_confirmation: OptionalText })
