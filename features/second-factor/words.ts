import { text } from '../../plugins/languages/text.ts'
import type { MethodWords } from '../auth/methods.ts'

export const stepWords: MethodWords['second'] = {
  code: (first) => text('{first} and a code', { first }),
  recovery_code: (first) => text('{first} and a recovery code', { first }),
  trusted_browser: (first) => text('{first} in a trusted browser', { first }),
}
