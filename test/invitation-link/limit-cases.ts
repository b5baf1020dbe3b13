import { type Cases, json, person } from '../helpers/limits.ts'

export const cases: Cases = {
  join: person('POST', '/join/unknown', {}, json),
}
