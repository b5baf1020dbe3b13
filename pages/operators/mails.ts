import { type Text, text } from '../../plugins/languages/text.ts'
import { features } from '../features.ts'
import { rich, t } from '../words/t.ts'

const somewhere = { name: text('Somebody'), place: text('a workspace') }

const ofCore = {
  email_verification: text('Verify your email'),
  password_reset: text('Reset your password'),
  password_changed: text('Your password has been changed'),
  user_deleted: text('Your account has been deleted'),
  suspended: text('Your account was suspended'),
  unsuspended: text('Your account is active again'),
  owner_added: text('{name} is now an owner of {place}', somewhere),
  owner_removed: text('{name} is no longer an owner of {place}', somewhere),
  operator_granted: text('You are an operator now'),
  operator_revoked: text('You are no operator any more'),
}

const subjects: Record<string, Text | undefined> = Object.assign({}, ofCore, ...features.map(({ mails }) => mails))

/** A feature that was removed leaves its mails behind, and during a deployment, newer processes queue theirs. */
export function purposeInWords(purpose: string) {
  const words = subjects[purpose]
  return words ? t(words) : rich('Notice: {purpose}', { purpose })
}
