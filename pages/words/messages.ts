/**
 * What is wrong with a field, as a sentence that names it. The server's words are ends of such sentences, and a contract; those that make no good
 * one have another here, for all fields or for one of them.
 */
export function messageOf(field: string, label: string, message: string) {
  const written = sentences[`${field} ${message}`] ?? sentences[message]
  return `${written ? written(label) : `${label} ${message}`}.`
}

const sentences: Record<string, (label: string) => string> = {
  "can't be blank": (label) => `${label} is missing`,
  "password_challenge can't be blank": () => 'Enter your current password',
  'password_challenge is invalid': () => 'That is not your current password',
  'password_challenge Password challenge is invalid': () => 'That is not your current password',
  'password is too short (minimum is 12 characters)': (label) => `${label} needs at least 12 characters`,
  "password_confirmation doesn't match Password": () => 'The two passwords are different',
  'is too long': (label) => `${label} is too long: 72 letters at most, fewer with accents and emoji`,
  'code is invalid': () => 'That code is wrong, or was used before',
  'email has already been taken': () => 'An account with this email exists',
  'email has already been invited': () => 'This address has been invited already',
  'email is already a member': () => 'This address is a member already',
}
