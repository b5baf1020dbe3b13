export const minuteSeconds = 60
const hourSeconds = 60 * minuteSeconds
const daySeconds = 24 * hourSeconds

export type Limit = {
  /** `client` is the IP address, `mailbox` an address without its sub-address, `member` a user in an account. */
  each: 'client' | 'address' | 'mailbox' | 'user' | 'account' | 'member' | 'session' | 'token'
  max: number
  windowSeconds: number
}

export const tries = { each: 'client', max: 10, windowSeconds: 3 * minuteSeconds } as const
// Codes and passkeys cannot be guessed, and ten wrong ones must not block the client's recovery code.
export const verifications = { ...tries, max: 60 } as const

/** The rate limits of the features here. docs/limits.md explains them. */
export const limits = {
  sign_in: tries,
  second_factor: verifications,
  sign_up: tries,
  sign_up_check: { ...tries, max: 60 },
  password_reset: tries,
  password_reset_finish: verifications,
  password_change: tries,
  password_link: tries,
  email_change: tries,
  email_restoration: tries,
  email_verification: tries,
  not_mine: tries,
  user_deletion: tries,
  account_deletion: tries,
  ownership: tries,
  sessions_end: tries,
  data_export: tries,
  guess: { each: 'address', max: 100, windowSeconds: hourSeconds },
  challenge: { each: 'user', max: 100, windowSeconds: hourSeconds },
  reset_mail: { each: 'mailbox', max: 10, windowSeconds: daySeconds },
  verification_mail: { each: 'mailbox', max: 10, windowSeconds: daySeconds },
  invitation_mail: { each: 'mailbox', max: 5, windowSeconds: daySeconds },
  open_invitation_mail: { each: 'mailbox', max: 10, windowSeconds: daySeconds },
  notice_mail: { each: 'mailbox', max: 20, windowSeconds: daySeconds },
  invitation_sent: { each: 'user', max: 50, windowSeconds: daySeconds },
  invitation_sent_unverified: { each: 'user', max: 10, windowSeconds: daySeconds },
  invitation: { each: 'account', max: 10, windowSeconds: 3 * minuteSeconds },
  invitation_check: { each: 'account', max: 60, windowSeconds: 3 * minuteSeconds },
  account_change: { each: 'member', max: 60, windowSeconds: 3 * minuteSeconds },
  language: { ...tries, max: 60 },
  profile_change: { each: 'user', max: 60, windowSeconds: 3 * minuteSeconds },
  activity_file: { each: 'user', max: 10, windowSeconds: 3 * minuteSeconds },
  account_activity_file: { each: 'user', max: 10, windowSeconds: 3 * minuteSeconds },
  account_creation: { each: 'user', max: 30, windowSeconds: hourSeconds },
  live_write: { each: 'session', max: 120, windowSeconds: minuteSeconds },
} as const satisfies Record<string, Limit>

/** Those of a product, by declaration merging. Each is defined where it is used (docs/guide.md). */
// biome-ignore lint/suspicious/noEmptyInterface: a product adds to it
export interface FeatureLimits {}

export type LimitName = keyof typeof limits | keyof FeatureLimits

export const definedLimits = new Map<string, Limit>(Object.entries(limits))

export function defineLimit(name: keyof FeatureLimits, limit: Limit) {
  definedLimits.set(name, limit)
}

export function limitOf(name: LimitName) {
  const limit = definedLimits.get(name)
  if (!limit) throw new Error(`the limit ${name} is not defined`)
  return limit
}
