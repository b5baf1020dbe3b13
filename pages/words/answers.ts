import type { InAccount } from '../../features/accounts/props.ts'
import type { AuthProps } from '../../features/auth/props.ts'
import { lazily, locale } from './locale.ts'
import { t } from './t.ts'
import { workspaceName } from './workspace.tsx'

/**
 * The server's message as people read it. Its wording on the wire is a contract, so it is rephrased here. Others only
 * get a full stop.
 */
export function sentenceOf(answer: string) {
  const better: Record<string, string> = {
    [t('That session has been logged out')]: t('That session has ended.'),
    [t('That email or password is incorrect')]: t('That email or password is incorrect. Check both and try again.'),
    [t('The demo user connects nothing')]: t("You can't connect accounts to the demo user."),
    [t('That password reset link is invalid')]: t('That link was already used or has expired. Ask for a new one here.'),
    [t('That link is invalid')]: t('That link was already used or has expired.'),
    [t('That email verification link is invalid')]: t('That link was already used or has expired.'),
  }
  return better[answer] ?? (/[.!?…؟]$/.test(answer) ? answer : `${answer}.`)
}

export type Reader = Partial<InAccount> & {
  auth?: AuthProps
  required_by?: { name: string }[]
  verified_email?: string
}

/** A notice as its reader sees it. None if the page shows what has changed. */
export function noticeIn(notice: string, { auth, account, membership, verified_email }: Reader) {
  const shown = [t('Invitation revoked'), t('Member removed'), t('Workspace created'), t('Your account is yours again')]
  if (verified_email || shown.includes(notice)) return undefined
  if (!auth?.user && notice === t('That session has been logged out')) return t('You are signed out.')
  // Whoever was not invited is in their own workspace, which has their name.
  if (
    account &&
    (account.personal || !membership?.personal) &&
    notice === t('Welcome! You have signed up successfully')
  )
    return sentenceOf(t('Welcome to {name}', { name: workspaceName(account) }))
  return sentenceOf(notice)
}

/** An alert as its reader sees it, with the time to wait after too many tries. None if the page explains it. */
export function alertIn(alert: string, { auth, required_by = [] }: Reader, retryAfter: number) {
  const isRequirement = ({ name: accountName }: { name: string }) =>
    alert === t('{accountName} requires two-factor authentication', { accountName })
  if (required_by.some(isRequirement)) return undefined
  if (auth?.user?.verified && isDeadLink(alert)) return undefined // no error: it is told as a notice
  if (retryAfter > 0 && alert === t('Try again later.'))
    return t('Too many tries. Try again later: {distance}.', { distance: distance(retryAfter) })
  return sentenceOf(alert)
}

export const isDeadLink = (alert: string) => alert === t('That email verification link is invalid')
export const usedLink = () => t('Your email is already verified, so this link is no longer needed.')

const inWords = lazily(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'always' }))
const distance = (seconds: number) => {
  if (seconds < 90) return inWords().format(Math.max(seconds, 1), 'second')
  return seconds < 5_400
    ? inWords().format(Math.ceil(seconds / 60), 'minute')
    : inWords().format(Math.ceil(seconds / 3_600), 'hour')
}
