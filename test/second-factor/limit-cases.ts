import { type Cases, person } from '../helpers/limits.ts'

export const cases: Cases = {
  second_factor_setup: person('POST', '/settings/second_factor'),
  second_factor_confirmation: person('PATCH', '/settings/second_factor'),
  second_factor_removal: person('DELETE', '/settings/second_factor'),
  recovery_codes: person('POST', '/settings/recovery_codes'),
}
