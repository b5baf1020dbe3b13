import type { Reauthentication } from '../../plugins/security/reauthentication.ts'

/** What a right password leaves behind: it holds as long as the digest stays. */
export const byDigest = (digest: string | null | undefined): Reauthentication => ({
  field: 'password_challenge',
  redeem: (_tx, user) => user.passwordDigest === digest,
})
