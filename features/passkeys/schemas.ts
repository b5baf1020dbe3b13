import { Type } from 'typebox'
import { LinkToken, OptionalText } from '../../plugins/forms/parameters.ts'

/** Anything: an invalid response is rejected with the form's message rather than a 400. */
const Response = Type.Optional(Type.Unknown())

export const RegistrationBody = Type.Object({ response: Response, name: OptionalText })
export const NameBody = Type.Object({ name: OptionalText })
export const AssertionBody = Type.Object({ response: Response, invitation: LinkToken, return_to: OptionalText })
