import { type Text, text } from '../../plugins/languages/text.ts'
import { t } from './t.ts'

/**
 * A field's message as a full sentence. The server's wording is a contract and continues the field's label. Messages
 * that would read badly are replaced, for all fields or a single one.
 */
export function messageOf(field: string, label: string, message: string) {
  const better =
    sentences.find(([wording, , only]) => only === field && t(wording) === message) ??
    sentences.find(([wording, , only]) => only === undefined && t(wording) === message)
  return better ? t(better[1].text as '{label}', { label }) : t('{label} {message}.', { label, message })
}

const label = '' // filled in when it is shown
const blank = text("can't be blank")
const invalid = text('is invalid')
const wrongPassword = text('That is not your current password.')

const sentences: [wording: Text, sentence: Text, field?: string][] = [
  [blank, text('{label} is missing.', { label })],
  [blank, text('Enter your current password.'), 'password_challenge'],
  [blank, text('The picture is missing.'), 'picture'],
  [invalid, wrongPassword, 'password_challenge'],
  [text('Password challenge is invalid'), wrongPassword, 'password_challenge'],
  [invalid, text('That passkey did not work. Try again, or use your password.'), 'passkey_challenge'],
  [invalid, text('That code is wrong or was already used.'), 'code'],
  [
    text('is too short (minimum is {min} characters)', { min: 12 }),
    text('{label} needs at least 12 characters.', { label }),
    'password',
  ],
  [text("doesn't match Password"), text('The two passwords are different.'), 'password_confirmation'],
  [text('is too long'), text('{label} is too long: 72 characters at most, fewer with accents and emoji.', { label })],
  [text('is not a picture we can read'), text('This is not a picture we can read.'), 'picture'],
  [text('is too large (maximum is 8 MB)'), text('The picture is too large: 8 MB at most.'), 'picture'],
  [text('has too many pixels'), text('The picture has too many pixels: 50 million at most.'), 'picture'],
  [text('has already been taken'), text('An account with this email already exists.'), 'email'],
  [text('has already been invited'), text('This address has already been invited.'), 'email'],
  [text('is already a member'), text('This address already belongs to a member.'), 'email'],
  [text("can't be invited again today"), text('This address cannot be invited again today.'), 'email'],
]
