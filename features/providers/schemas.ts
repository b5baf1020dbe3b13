import { Type } from 'typebox'
import { LinkToken } from '../../plugins/forms/parameters.ts'

const Field = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const StartBody = Type.Object({ invitation: LinkToken, return_to: Field })
export const SignUpBody = Type.Object({ name: Field, email: Field })
export const IdentityParams = Type.Object({ id: Type.String() })
