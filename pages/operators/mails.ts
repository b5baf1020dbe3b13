import { type Text, text } from '../../plugins/languages/text.ts'
import { rich, t } from '../words/t.ts'

/** The subjects of the mails that people wait for. */
const subjects: Record<string, Text | undefined> = {
  email_verification: text('Verify your email'),
  password_reset: text('Reset your password'),
  password_changed: text('Your password has been changed'),
  user_deleted: text('Your account has been deleted'),
  suspended: text('Your account was suspended'),
  unsuspended: text('Your account is active again'),
  operator_granted: text('You are an operator now'),
  operator_revoked: text('You are no operator any more'),
}

/** Those of options are told by their names. */
export function purposeInWords(purpose: string) {
  const words = subjects[purpose]
  return words ? t(words) : rich('Notice: {purpose}', { purpose })
}
