import { text } from '../../plugins/languages/text.ts'
import { lazily } from './lazily.ts'
import { locale } from './locale.ts'
import { t } from './t.ts'

/**
 * The server's messages as people read them. Their wording on the wire is a contract, so they are rephrased here.
 * Others only get a full stop.
 */
const sentences = [
  [text('That session has been logged out'), text('That session has ended.')],
  [text('That email or password is incorrect'), text('That email or password is incorrect. Check both and try again.')],
  [text('The demo user connects nothing'), text("You can't connect accounts to the demo user.")],
  [text('Role is not included in the list'), text("That role doesn't exist.")],
  [
    text('That password reset link is invalid'),
    text('That link was already used or has expired. Ask for a new one here.'),
  ],
] as const

export const endOf = (answer: string, isSignedIn: boolean) =>
  !isSignedIn && answer === t('That session has been logged out') ? t('You are signed out.') : sentenceOf(answer)

export function sentenceOf(answer: string) {
  const better = sentences.find(([wording]) => t(wording) === answer)?.[1]
  return better ? t(better) : /[.!?…؟]$/.test(answer) ? answer : `${answer}.`
}

const greetings = [text('Signed in successfully'), text('Welcome! You have signed up successfully')]

export const isGreeting = (answer: string) => greetings.some((greeting) => t(greeting) === answer)

const seen = [text('Invitation revoked'), text('Member removed'), text('Workspace created')]

export const isSeen = (answer: string) => seen.some((change) => t(change) === answer)

export const isDeadLink = (answer: string) => answer === t('That email verification link is invalid')
export const spentLink = () => t('Your email is already verified, so this link is no longer needed.')

/** The message for people without a second factor whose workspace requires one. */
export const isRequirement = (answer: string, accountName: string) =>
  answer === t('{accountName} requires two-factor authentication', { accountName })

/** The message after too many attempts, with the time to wait if known. */
export const isTooFast = (answer: string) => answer === t('Try again later.')
export const comeBack = (seconds: number) =>
  t('Too many tries. Try again later: {distance}.', { distance: distance(seconds) })

const inWords = lazily(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'always' }))
const distance = (seconds: number) => {
  if (seconds < 90) return inWords().format(Math.max(seconds, 1), 'second')
  return seconds < 5_400
    ? inWords().format(Math.ceil(seconds / 60), 'minute')
    : inWords().format(Math.ceil(seconds / 3_600), 'hour')
}
