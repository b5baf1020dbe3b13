import { Type } from 'typebox'

/** A file, or anything else, which is as blank as nothing. */
export const PictureBody = Type.Object({ picture: Type.Optional(Type.Unknown()) })
export const PictureParams = Type.Object({ key: Type.String() })
