import type { Moves } from '../moves.ts'
import type { Rename } from '../names.ts'

// To 0.4.0: each option has a room of its own name. Pages and tests are left out, since nobody imports one.

export const moves: Moves = [
  ['features/auth/second-factor/verify.ts', 'features/auth/second-step.ts'],
  ['features/auth/second-factor', 'features/second-factor'],
  ['features/auth/trusted-browsers/trusted-browsers.ts', 'features/second-factor/trusted-browsers.ts'],
  ['features/auth/passkeys', 'features/passkeys'],
  ['features/auth/providers/cookies.ts', 'features/providers/pending-identity.ts'],
  ['features/auth/providers', 'features/providers'],
  ['features/auth/single-sign-on/callback.ts', 'features/single-sign-on/policy.ts'],
  ['features/auth/single-sign-on/starts.ts', 'features/single-sign-on/sign-in.ts'],
  ['features/auth/single-sign-on', 'features/single-sign-on'],
  ['features/auth/mail-codes', 'features/mail-codes'],
  ['features/accounts/invitation-links.ts', 'features/invitation-link/invitation-links.ts'],
  ['features/accounts/single-sign-on-removal.ts', 'features/single-sign-on/removal.ts'],
  ['features/accounts/roles.ts', 'features/accounts/rights.ts'],

  ['pages/auth/mail-code-button.tsx', 'pages/mail-codes/mail-code-button.tsx'],
  ['pages/auth/passkey-button.tsx', 'pages/passkeys/passkey-button.tsx'],
  ['pages/accounts/passkey-offer.tsx', 'pages/passkeys/passkey-offer.tsx'],
  ['pages/forms/passkey-answer.tsx', 'pages/passkeys/passkey-answer.tsx'],
  ['pages/settings/passkeys.tsx', 'pages/passkeys/passkeys.tsx'],
  ['pages/auth/providers.tsx', 'pages/providers/providers.tsx'],
  ['pages/settings/identities.tsx', 'pages/providers/identities.tsx'],
  ['pages/shared/provider-mark.tsx', 'pages/providers/provider-mark.tsx'],
  ['pages/shared/marks', 'pages/providers/marks'],
  ['pages/settings/second-factor.tsx', 'pages/second-factor/second-factor.tsx'],
  ['pages/settings/recovery-codes.tsx', 'pages/second-factor/recovery-codes.tsx'],
  ['pages/accounts/requirement.tsx', 'pages/second-factor/requirement.tsx'],
  ['pages/accounts/sso-connection.tsx', 'pages/single-sign-on/sso-connection.tsx'],
  ['pages/accounts/sso-domains.tsx', 'pages/single-sign-on/sso-domains.tsx'],
  ['pages/accounts/sso-requirement.tsx', 'pages/single-sign-on/sso-requirement.tsx'],
  ['pages/settings/sso.tsx', 'pages/single-sign-on/connected-sso.tsx'],
  ['pages/accounts/invitation-link.tsx', 'pages/invitation-link/invitation-link.tsx'],
  ['pages/settings/token-actions.tsx', 'pages/api/token-actions.tsx'],

  ['plugins/languages/digits.ts', 'plugins/languages/plain.ts'],
  ['plugins/languages/plain-letters.ts', 'plugins/languages/plain.ts'],

  ['test/auth/second-factor', 'test/second-factor'],
  ['test/auth/passkeys', 'test/passkeys'],
  ['test/auth/providers', 'test/providers'],
  ['test/auth/single-sign-on', 'test/single-sign-on'],
  ['test/auth/mail-codes', 'test/mail-codes'],
  ['test/helpers/second-factors.ts', 'test/helpers/second-factor.ts'],
]

export const renames: Rename[] = [
  { file: 'features/accounts/accounts.ts', from: 'mayJoin', to: 'lockAndCheckMembershipLimit' },
  { file: 'features/accounts/accounts.ts', from: 'requireRoom', to: 'requireMembershipSlot' },
  { file: 'features/accounts/channel.ts', from: 'accountChannel', to: 'membersChannel' },
  { file: 'features/accounts/claims.ts', from: 'separateFromOthers', to: 'detachFromSharedAccounts' },
  { file: 'features/accounts/overview.ts', from: 'figuresOf', to: 'managerStats' },
  { file: 'features/auth/addresses.ts', from: 'holdersOf', to: 'unverifiedOwnersOf' },
  { file: 'features/auth/addresses.ts', from: 'lockHolders', to: 'lockUnverifiedOwners' },
  { file: 'features/auth/checks.ts', from: 'NewUser', to: 'UserWithPassword' },
  { file: 'features/auth/device.ts', from: 'Visitor', to: 'ClientWithDevice' },
  { file: 'features/auth/device.ts', from: 'markOf', to: 'deviceFingerprint' },
  { file: 'features/auth/device.ts', from: 'visitorOf', to: 'clientWithDevice' },
  { file: 'features/auth/pending-sign-in.ts', from: 'contextOf', to: 'contextOfPending' },
  { file: 'features/auth/reauthentication/index.ts', from: 'lockUser', to: 'lockUserAndConsumeProof' },
  { file: 'plugins/security/digests.ts', from: 'requireRoom', to: 'rejectIfQueueFull' },
]

/** What remains to be done by hand. */
export const advice: string[] = []
