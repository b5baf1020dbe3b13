import { defineKinds, type OfUser } from '../activity/activities.ts'

export interface SecondFactorActivities {
  second_factor_enabled: OfUser
  second_factor_disabled: OfUser
  recovery_codes_made: OfUser
  recovery_code_used: OfUser
  // Ten wrong codes in a row, after the right password.
  second_factor_locked: OfUser
  browser_trusted: OfUser
  trusted_browsers_forgotten: OfUser
}

declare module '../activity/activities.ts' {
  interface Activities extends SecondFactorActivities {}
}

defineKinds({
  second_factor_enabled: 'security',
  second_factor_disabled: 'security',
  recovery_codes_made: 'security',
  recovery_code_used: 'security',
  second_factor_locked: 'security',
  browser_trusted: 'security',
  trusted_browsers_forgotten: 'security',
})
