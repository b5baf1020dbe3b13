import { Type } from 'typebox'

export const AccountBody = Type.Object({ name: Type.Optional(Type.Union([Type.String(), Type.Null()])) })
export const AccountParams = Type.Object({ slug: Type.String() })

/** The pattern of an account's own addresses. What does not fit is no account, for guests as for users. */
export const accountRoute = '/:slug(^[a-z0-9-]{3,40}$)'
