import { defineLimit } from '../../plugins/security/limits/index.ts'
import { tries, verifications } from '../../plugins/security/limits/table.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    passkey: Limit
    passkey_options: Limit
    passkey_request: Limit
    passkey_addition: Limit
    passkey_removal: Limit
  }
}

defineLimit('passkey', verifications)
defineLimit('passkey_options', tries)
defineLimit('passkey_request', verifications)
defineLimit('passkey_addition', verifications)
defineLimit('passkey_removal', tries)
