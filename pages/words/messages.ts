import { minPasswordLength } from '../../features/bounds.ts'
import { t } from './t.ts'

/**
 * A field's message as a full sentence. The server's wording is a contract and continues the field's label. Messages
 * that would read badly are replaced, for a single field or for all.
 */
export function messageOf(field: string, label: string, message: string) {
  const blank = t("can't be blank")
  const invalid = t('is invalid')
  const wrongPassword = t('That is not your current password.')

  const ofField: Record<string, Record<string, string>> = {
    password_challenge: {
      [blank]: t('Enter your current password.'),
      [invalid]: wrongPassword,
      [t('Password challenge is invalid')]: wrongPassword,
    },
    name: { [blank]: t('Enter a name.') },
    code: { [invalid]: t('That code is wrong or was already used.') },
    password: {
      [t('is too short (minimum is {min} characters)', { min: minPasswordLength })]: t(
        'The password needs at least {min} characters.',
        { min: minPasswordLength },
      ),
    },
    email: {
      [invalid]: t("That doesn't look like an email address."),
      [t('has already been taken')]: t('An account with this email already exists.'),
      [t('has already been invited')]: t('This address has already been invited.'),
      [t('is already a member')]: t('This address already belongs to a member.'),
      [t("can't be invited again today")]: t('This address cannot be invited again today.'),
    },
  }
  const ofAll: Record<string, string> = {
    [blank]: t('{label} is missing.', { label }),
    [t('is too long')]: t('{label} is too long: 72 characters at most, fewer with accents and emoji.', { label }),
  }
  return ofField[field]?.[message] ?? ofAll[message] ?? t('{label} {message}.', { label, message })
}
