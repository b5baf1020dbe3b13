import type { Reauthentication } from '../../features/reauthentication/index.ts'

/** What a right password leaves behind: it holds as long as the digest stays. */
export const byDigest = (digest: string | null | undefined): Reauthentication => ({
  field: 'password_challenge',
  redeem: (_tx, user) => user.passwordDigest === digest,
})
