import { Type } from 'typebox'
import { LinkToken, OptionalText } from '../../plugins/forms/parameters.ts'
import { MissingParameter } from '../../plugins/http/errors.ts'

/** An invitation's token, carried along as `?invitation=`. */
export const CarryingQuery = Type.Object({ invitation: LinkToken })

/** The page to go to after sign-in, as `?return_to=`. */
export const SignInQuery = Type.Object({
  invitation: LinkToken,
  return_to: Type.Optional(Type.String()),
})
export const SignInBody = Type.Object({
  email: OptionalText,
  password: OptionalText,
  invitation: LinkToken,
  return_to: OptionalText,
})
export const SignUpBody = Type.Object({
  name: OptionalText,
  email: OptionalText,
  password: OptionalText,
  password_confirmation: OptionalText,
  invitation: LinkToken,
})
export const SessionParams = Type.Object({ token: Type.String() })

/**
 * These fields as strings, empty if absent or null. Throws MissingParameter for one that is required, which only a
 * broken client omits.
 */
export function fieldsOf<Name extends string>(
  body: { [name in Name]?: string | null },
  names: readonly Name[],
  { required = true } = {},
) {
  const missing = required && names.find((name) => body[name] == null)
  if (missing) throw new MissingParameter(`${missing} is missing`)
  return Object.fromEntries(names.map((name) => [name, body[name] ?? ''])) as { [name in Name]: string }
}
