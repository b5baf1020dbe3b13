import { Type } from 'typebox'
import { LinkToken } from '../../plugins/forms/parameters.ts'

const Field = Type.Optional(Type.Union([Type.String(), Type.Null()]))
/** Anything: an invalid response is rejected with the form's message rather than a 400. */
const Response = Type.Optional(Type.Unknown())

export const RegistrationBody = Type.Object({ response: Response, name: Field })
export const NameBody = Type.Object({ name: Field })
export const AssertionBody = Type.Object({ response: Response, invitation: LinkToken, return_to: Field })
export const PasskeyParams = Type.Object({ id: Type.String() })
/** An id small enough for the database. Anything else is a 404. */
export const idPattern = ':id(^\\d{1,15}$)'
