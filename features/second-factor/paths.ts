import { destroy, patch, post } from '../paths.ts'

export const secondFactorPaths = {
  startSecondFactor: () => post('/settings/second_factor'),
  confirmSecondFactor: () => patch('/settings/second_factor'),
  endSecondFactor: () => destroy('/settings/second_factor'),
  renewRecoveryCodes: () => post('/settings/recovery_codes'),
  forgetTrustedBrowsers: () => destroy('/settings/trusted_browsers'),
}
