import type { Moves } from '../moves.ts'
import type { Rename } from '../names.ts'

// To 0.4.0: each option has a room of its own name.

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

  ['pages/auth/code.page.tsx', 'pages/mail-codes/auth/code.guest.page.tsx'],
  ['pages/auth/mail-code-button.tsx', 'pages/mail-codes/mail-code-button.tsx'],
  ['pages/auth/passkey-button.tsx', 'pages/passkeys/passkey-button.tsx'],
  ['pages/accounts/passkey-offer.tsx', 'pages/passkeys/passkey-offer.tsx'],
  ['pages/forms/passkey-answer.tsx', 'pages/passkeys/passkey-answer.tsx'],
  ['pages/settings/passkeys.tsx', 'pages/passkeys/passkeys.tsx'],
  ['pages/auth/provider.page.tsx', 'pages/providers/auth/provider.guest.page.tsx'],
  ['pages/auth/providers.tsx', 'pages/providers/providers.tsx'],
  ['pages/settings/identities.tsx', 'pages/providers/identities.tsx'],
  ['pages/shared/provider-mark.tsx', 'pages/providers/provider-mark.tsx'],
  ['pages/shared/marks', 'pages/providers/marks'],
  ['pages/auth/second-factor.page.tsx', 'pages/auth/second-step.page.tsx'],
  ['pages/settings/second-factor.tsx', 'pages/second-factor/second-factor.tsx'],
  ['pages/settings/recovery-codes.tsx', 'pages/second-factor/recovery-codes.tsx'],
  ['pages/auth/sso-start.page.tsx', 'pages/single-sign-on/auth/sso-start.guest.page.tsx'],
  ['pages/auth/sso.page.tsx', 'pages/single-sign-on/auth/sso.guest.page.tsx'],
  ['pages/accounts/sso.page.tsx', 'pages/single-sign-on/accounts/sso.rare.page.tsx'],
  ['pages/accounts/sso-connection.tsx', 'pages/single-sign-on/sso-connection.tsx'],
  ['pages/accounts/sso-domains.tsx', 'pages/single-sign-on/sso-domains.tsx'],
  ['pages/accounts/sso-requirement.tsx', 'pages/single-sign-on/sso-requirement.tsx'],
  ['pages/settings/sso.tsx', 'pages/single-sign-on/connected-sso.tsx'],
  ['pages/accounts/invitation-link.tsx', 'pages/invitation-link/invitation-link.tsx'],
  ['pages/invitations/join.page.tsx', 'pages/invitation-link/invitations/join.guest.page.tsx'],
  ['pages/settings/tokens.page.tsx', 'pages/api/settings/tokens.rare.page.tsx'],
  ['pages/settings/token-actions.tsx', 'pages/api/token-actions.tsx'],
  ['pages/operators/account.page.tsx', 'pages/operators/operators/account.rare.page.tsx'],
  ['pages/operators/accounts.page.tsx', 'pages/operators/operators/accounts.rare.page.tsx'],
  ['pages/operators/log.page.tsx', 'pages/operators/operators/log.rare.page.tsx'],
  ['pages/operators/user.page.tsx', 'pages/operators/operators/user.rare.page.tsx'],
  ['pages/operators/users.page.tsx', 'pages/operators/operators/users.rare.page.tsx'],
  ['pages/auth/sign-in.page.tsx', 'pages/auth/sign-in.guest.page.tsx'],
  ['pages/auth/sign-up.page.tsx', 'pages/auth/sign-up.guest.page.tsx'],
  ['pages/home/index.page.tsx', 'pages/home/index.guest.page.tsx'],
  ['pages/invitations/show.page.tsx', 'pages/invitations/show.guest.page.tsx'],
  ['pages/identity/email-change.page.tsx', 'pages/identity/email-change.guest.page.tsx'],
  ['pages/identity/not-mine.page.tsx', 'pages/identity/not-mine.guest.page.tsx'],
  ['pages/identity/password-reset/edit.page.tsx', 'pages/identity/password-reset/edit.guest.page.tsx'],
  ['pages/identity/password-reset/new.page.tsx', 'pages/identity/password-reset/new.guest.page.tsx'],

  ['test/auth/second-factor', 'test/second-factor'],
  ['test/auth/passkeys', 'test/passkeys'],
  ['test/auth/providers', 'test/providers'],
  ['test/auth/single-sign-on', 'test/single-sign-on'],
  ['test/auth/mail-codes', 'test/mail-codes'],
  ['test/accounts/invitation-links.test.ts', 'test/invitation-link/invitation-links.test.ts'],
  ['test/browser/tokens.test.ts', 'test/browser/api.test.ts'],
  ['test/languages/arabic.test.ts', 'test/languages/ar.test.ts'],
  ['test/helpers/second-factors.ts', 'test/helpers/second-factor.ts'],
]

export const renames: Rename[] = []

/** What remains to be done by hand. */
export const advice: string[] = []
