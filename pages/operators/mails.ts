import { type Text, text } from '../../plugins/languages/text.ts'
import { t } from '../words/t.ts'

/** The subjects of mails, or what they are about where a subject names somebody. */
const purposes: Record<string, Text | undefined> = {
  email_verification: text('Verify your email'),
  password_reset: text('Reset your password'),
  sign_in_code: text('code by mail'),
  password_changed: text('Your password has been changed'),
  ways_in_removed: text('Your other ways to sign in were removed'),
  user_deleted: text('Your account has been deleted'),
  suspended: text('Your account was suspended'),
  unsuspended: text('Your account is active again'),
  operator_granted: text('You are an operator now'),
  operator_revoked: text('You are no operator any more'),
  second_factor_enabled: text('Two-factor authentication is on'),
  second_factor_disabled: text('Two-factor authentication is off'),
  second_factor_locked: text('Somebody knows your password'),
  recovery_code_used: text('A recovery code was used'),
  passkey_added: text('A passkey was added'),
  passkey_removed: text('A passkey was removed'),
  token_created: text('A token was created'),
  token_revoked: text('A token was revoked'),
  token_expires: text('A token expires soon'),
  sso_connected: text('Single sign-on was connected'),
  sso_disconnected: text('Single sign-on was disconnected'),
  webhook_disabled: text('A webhook stopped'),
}

/** By the word that their names begin with. */
const topics: Record<string, Text | undefined> = {
  identity: text('Connected accounts'),
  owner: text('Owners'),
  webhook: text('Webhooks'),
  workspace: text('Tokens'),
  domain: text('Domains'),
  sso: text('Single sign-on'),
}

/** One that this build does not know stands for itself. */
export function purposeInWords(purpose: string) {
  const words = purposes[purpose] ?? topics[purpose.split('_', 1)[0] ?? '']
  return words ? t(words) : purpose
}
