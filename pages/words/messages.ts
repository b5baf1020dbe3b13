/**
 * A field's message as a full sentence. The server's wording is a contract and continues the field's label. Messages
 * that would read badly are replaced, for all fields or a single one. `$` is the label.
 */
export const messageOf = (field: string, label: string, message: string) =>
  `${(sentences[`${field} ${message}`] ?? sentences[message] ?? `$ ${message}`).replace('$', () => label)}.`

const wrongPassword = 'That is not your current password'

const sentences: Record<string, string> = {
  "can't be blank": '$ is missing',
  "password_challenge can't be blank": 'Enter your current password',
  'password_challenge is invalid': wrongPassword,
  'password_challenge Password challenge is invalid': wrongPassword,
  'passkey_challenge is invalid': 'That passkey did not work. Try again, or use your password',
  'password is too short (minimum is 12 characters)': '$ needs at least 12 characters',
  "password_confirmation doesn't match Password": 'The two passwords are different',
  'is too long': '$ is too long: 72 letters at most, fewer with accents and emoji',
  "picture can't be blank": 'The picture is missing',
  'picture is not a picture we can read': 'This is not a picture we can read',
  'picture is too large (maximum is 8 MB)': 'The picture is too large: 8 MB at most',
  'picture has too many pixels': 'The picture has too many pixels: 50 million at most',
  'code is invalid': 'That code is wrong, or was used before',
  'email has already been taken': 'An account with this email exists',
  'email has already been invited': 'This address has been invited already',
  'email is already a member': 'This address is a member already',
  "email can't be invited again today": 'This address cannot be invited again today',
}
