import { Type } from 'typebox'

const Field = Type.Optional(Type.Union([Type.String(), Type.Null()]))
/** Whatever a browser or anybody else may send: it is refused in the words of the form, not as a broken request. */
const Response = Type.Optional(Type.Unknown())

export const ChallengeBody = Type.Object({ password_challenge: Field })
export const RegistrationBody = Type.Object({ response: Response, name: Field })
export const NameBody = Type.Object({ name: Field })
export const AssertionBody = Type.Object({ response: Response, invitation: Field, return_to: Field })
export const PasskeyParams = Type.Object({ id: Type.String() })
/** What is none, or none that the database could hold, is no address. */
export const idPattern = ':id(^\\d{1,15}$)'
