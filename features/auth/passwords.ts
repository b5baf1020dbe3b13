const shortest = 12 // characters
const longest = 72 // bytes

/** Messages for a new password, in the order of the rules. */
export function passwordMessages(password: string) {
  if (password.trim() === '') return ["can't be blank"]
  const messages = []
  if ([...password].length < shortest) messages.push(`is too short (minimum is ${shortest} characters)`)
  if (Buffer.byteLength(password) > longest) messages.push('is too long')
  return messages
}

export const confirmationMessages = (password: string, confirmation: string) =>
  confirmation === password ? [] : ["doesn't match Password"]
