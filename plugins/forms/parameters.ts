import { Type } from 'typebox'
import { isStorable } from '../database/index.ts'
import { MissingParameter } from '../http/errors.ts'
import { text } from '../languages/index.ts'

export const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/** A parameter of a route that is an id small enough for the database. Anything else is a 404. */
export const idParam = (name: string) => `:${name}(^\\d{1,15}$)`
export const idPattern = idParam('id')
export const IdParams = Type.Object({ id: Type.String() })

/** Where a page of a list starts: after the row with this id, or before it. */
export const Cursor = Type.Optional(Type.String({ pattern: '^\\d{1,15}$' }))

/** A token from a link. A URL that names it twice has a wrong token, and is no malformed request (400). */
export const LinkToken = Type.Optional(
  Type.Union([Type.String(), Type.Null(), Type.Array(Type.String(), { minItems: 2 })]),
)

/** An empty string never matches. */
export const onlyToken = (value: unknown) => (typeof value === 'string' ? value : '')

/** The token of an invitation. Longer texts are none, and would only fill URLs and cookies. */
export const invitationIn = (value: unknown) => {
  const token = onlyToken(value)
  return token.length <= invitationLength ? token : ''
}
const invitationLength = 43 // 32 bytes in base64url

/** Confirms that it is the person. An invalid passkey fails with the form's message, not with a 400. */
export const challengeFields = {
  password_challenge: OptionalText,
  passkey_challenge: Type.Optional(Type.Unknown()),
}
export const ChallengeBody = Type.Object(challengeFields)

/** As strings, empty if absent or null. Throws MissingParameter for one that only a broken client omits. */
export function fieldsOf<Name extends string>(
  body: { [name in Name]?: string | null },
  names: readonly Name[],
  { required = true } = {},
) {
  const missing = required && names.find((name) => body[name] == null)
  if (missing) throw new MissingParameter(`${missing} is missing`)
  return Object.fromEntries(names.map((name) => [name, body[name] ?? ''])) as { [name in Name]: string }
}

/** The length in characters, of which an emoji is one with two code units. */
export const lengthOf = (text: string) => [...text].length

export function nameMessages(name: string, maxLength: number) {
  if (!isVisible(name)) return [text("can't be blank")]
  if (!isStorable(name) || endsIsolation(name)) return [text('is invalid')]
  return lengthOf(name) > maxLength ? [text('is too long (maximum is {max} characters)', { max: maxLength })] : []
}

export const isVisible = (name: string) => visible.test(name)

// Accents need a letter to stand on. Four blanks count as letters or symbols: of braille, of music, and of hieroglyphs.
const visible = /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}\u{13441}\u{13442}]/u

/** Whether the rest of the name escapes from `<bdi>` and U+2068, and could reorder the text after it. */
function endsIsolation(name: string) {
  const unpaired = name.replace(/[\u2066-\u2068][^\u2066-\u2069]*\u2069/g, '')
  return ['\x1c', '\x1d', '\x1e', '\x85', '\u2029', '\u2069'].some((end) => unpaired.includes(end))
}
