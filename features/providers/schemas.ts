import { Type } from 'typebox'
import { Field, LinkToken } from '../../plugins/forms/parameters.ts'

export const StartBody = Type.Object({ invitation: LinkToken, return_to: Field })
export const SignUpBody = Type.Object({ name: Field, email: Field })
