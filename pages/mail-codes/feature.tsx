import type { Feature } from '../feature.ts'

/** Whoever reads the mail of a verified address can sign in with a code. */
export const mailCodes: Feature = {
  option: 'mail-codes',
  icons: {},
  sentences: {},
  protection: ({ auth }) => ({ ways: auth.user?.verified ? 1 : 0 }),
}
