import { type Static, Type } from 'typebox'

const Field = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const CodeBody = Type.Object({ code: Field })
/** `response` is that of a passkey, and may be anything. */
export const VerificationBody = Type.Object({ code: Field, response: Type.Optional(Type.Unknown()), return_to: Field })
export type Verification = Static<typeof VerificationBody>
export const isAnswer = (response: unknown) => response !== undefined && response !== null
export const VerificationQuery = Type.Object({ return_to: Type.Optional(Type.String()) })
