import { type Static, Type } from 'typebox'

/**
 * A token from a link. Wrong tokens get their own response, and so does one that is given twice: without the array, it
 * would fail validation with a 400.
 */
export const LinkToken = Type.Optional(
  Type.Union([Type.String(), Type.Null(), Type.Array(Type.String(), { minItems: 2 })]),
)

/** The token if it was given exactly once, otherwise an empty string, which never matches. */
export const onlyToken = (given: Static<typeof LinkToken> | undefined) => (typeof given === 'string' ? given : '')
