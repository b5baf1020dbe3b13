import type { OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    second_factor_enabled: OfUser
    second_factor_disabled: OfUser
    recovery_codes_made: OfUser
    recovery_code_used: OfUser
    /** Ten wrong codes in a row, by whoever has the password. */
    second_factor_locked: OfUser
  }
}
