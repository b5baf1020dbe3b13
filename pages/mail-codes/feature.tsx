import { mailCodeWords } from '../../features/mail-codes/words.ts'
import type { Feature } from '../feature.ts'

/** Whoever reads the mail of a verified address can sign in with a code. */
export const mailCodes: Feature = {
  option: 'mail-codes',
  methods: { first: { email_code: mailCodeWords } },
  icons: {},
  sentences: {},
  protection: ({ auth }) => ({ ways: auth.user?.verified ? 1 : 0 }),
}
