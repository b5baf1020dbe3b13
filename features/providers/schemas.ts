import { Type } from 'typebox'
import { LinkToken, OptionalText } from '../../plugins/forms/parameters.ts'

export const StartBody = Type.Object({ invitation: LinkToken, return_to: OptionalText })
export const SignUpBody = Type.Object({ name: OptionalText, email: OptionalText })
