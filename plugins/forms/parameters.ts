import { type Static, Type } from 'typebox'

/**
 * The token of a link, whose wrong values have an answer of their own. One that is there twice is as wrong as any, and no broken request.
 */
export const LinkToken = Type.Optional(
  Type.Union([Type.String(), Type.Null(), Type.Array(Type.String(), { minItems: 2 })]),
)

/** The token that was given once; otherwise blank, which opens nothing. */
export const onlyToken = (given: Static<typeof LinkToken> | undefined) => (typeof given === 'string' ? given : '')
