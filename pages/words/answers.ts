/**
 * What the server answers, as a person reads it. Its words are a contract and stay as they are on the wire; here they become sentences of the
 * page. What is not listed only gets its full stop.
 */
const sentences: Record<string, string> = {
  'That session has been logged out': 'That session has ended.',
  'Your account has been deleted': 'Your profile has been deleted.',
  'That email or password is incorrect': 'That email or password is incorrect. Check both and try again.',
  'Role is not included in the list': 'There is no such role.',
}

export const sentenceOf = (answer: string) => sentences[answer] ?? (/[.!?…]$/.test(answer) ? answer : `${answer}.`)

/** A verification link that does nothing any more, and the same for a person whose address is verified. */
export const deadLink = 'That email verification link is invalid'
export const spentLink = 'Your email is verified already: the link has done its work.'

/** The answer to too many tries, with the time to come back, if that is known. */
export const tooFast = 'Try again later.'
export const comeBack = (seconds: number) => `Too many tries. Try again later: ${distance(seconds)}.`

const inWords = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const distance = (seconds: number) => {
  if (seconds < 90) return inWords.format(Math.max(seconds, 1), 'second')
  return seconds < 5_400
    ? inWords.format(Math.ceil(seconds / 60), 'minute')
    : inWords.format(Math.ceil(seconds / 3_600), 'hour')
}
