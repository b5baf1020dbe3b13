const minute = 60
const hour = 60 * minute
const day = 24 * hour

type Limit = {
  /** What the limit is counted by: `client` is the IP address, `address` an email address. */
  each: 'client' | 'address' | 'user' | 'account' | 'session'
  most: number
  /** Length of the window in seconds, starting with the first hit. */
  within: number
}

const tries = { each: 'client', most: 10, within: 3 * minute } as const
// Codes and passkeys cannot be guessed, or wrong ones are counted per user. Ten of them must not use up the client's
// budget, or its recovery code would be refused as well.
const proofs = { ...tries, most: 60 } as const

/** All rate limits. The README beside this file lists what each one counts and how requests beyond it are answered. */
export const limits = {
  sign_in: tries,
  sign_up: tries,
  sign_up_check: { ...tries, most: 60 },
  password_reset: tries,
  password_change: tries,
  email_change: tries,
  email_verification: tries,
  user_deletion: tries,
  account_deletion: tries,
  sessions_end: tries,
  second_factor: proofs,
  second_factor_setup: tries,
  second_factor_confirmation: proofs,
  second_factor_removal: tries,
  recovery_codes: tries,
  data_export: tries,
  passkey: proofs,
  passkey_options: tries,
  passkey_addition: proofs,
  passkey_removal: tries,
  guess: { each: 'address', most: 20, within: hour },
  challenge: { each: 'user', most: 20, within: hour },
  reset_mail: { each: 'address', most: 5, within: day },
  verification_mail: { each: 'address', most: 5, within: day },
  invitation_mail: { each: 'address', most: 5, within: day },
  invitation_sent: { each: 'user', most: 50, within: day },
  invitation_sent_unverified: { each: 'user', most: 10, within: day },
  invitation: { each: 'account', most: 10, within: 3 * minute },
  invitation_check: { each: 'account', most: 60, within: 3 * minute },
  account_creation: { each: 'user', most: 30, within: hour },
  live_write: { each: 'session', most: 120, within: minute },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits
