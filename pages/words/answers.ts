import { lazily } from './lazily.ts'

/**
 * The server's messages as people read them. Their wording on the wire is a contract, so they are rephrased here.
 * Others only get a full stop.
 */
const sentences: Record<string, string> = {
  'That session has been logged out': 'That session has ended.',
  'That email or password is incorrect': 'That email or password is incorrect. Check both and try again.',
  'Role is not included in the list': 'There is no such role.',
}

export const sentenceOf = (answer: string) => sentences[answer] ?? (/[.!?…]$/.test(answer) ? answer : `${answer}.`)

/** The message for a dead verification link, and its replacement for users who are already verified. */
export const deadLink = 'That email verification link is invalid'
export const spentLink = 'Your email is verified already: the link has done its work.'

/** The message after too many attempts, with the time to wait if known. */
export const tooFast = 'Try again later.'
export const comeBack = (seconds: number) => `Too many tries. Try again later: ${distance(seconds)}.`

const inWords = lazily(() => new Intl.RelativeTimeFormat('en', { numeric: 'always' }))
const distance = (seconds: number) => {
  if (seconds < 90) return inWords().format(Math.max(seconds, 1), 'second')
  return seconds < 5_400
    ? inWords().format(Math.ceil(seconds / 60), 'minute')
    : inWords().format(Math.ceil(seconds / 3_600), 'hour')
}
