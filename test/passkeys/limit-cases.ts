import { type Cases, guest, json, person } from '../helpers/limits.ts'

export const cases: Cases = {
  passkey: guest('POST', '/sign_in/passkey'),
  passkey_options: person('POST', '/settings/passkeys/options', {}, json),
  passkey_request: guest('POST', '/sign_in/passkey/options', {}, json),
  passkey_addition: person('POST', '/settings/passkeys'),
  passkey_removal: person('DELETE', '/settings/passkeys/1'),
}
