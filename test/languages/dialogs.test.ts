import t from 'tap'
import arabic from '../../languages/ar.ts'
import german from '../../languages/de.ts'
import { english, type Speech } from '../../plugins/languages/translate.ts'

const languages: Speech[] = [english, { tag: 'de', ...german }, { tag: 'ar', ...arabic }]

/** In English, German and Arabic. */
const verbs = {
  add: [/add/i, /hinzu/i, /إضافة/],
  connect: [/connect/i, /verb[iu]nden/i, /ربط/],
  create: [/create/i, /erstell/i, /إنشاء/],
  decline: [/decline/i, /ablehnen|abgelehnt/i, /رفض/],
  delete: [/delete/i, /lösch/i, /حذف/],
  disconnect: [/disconnect/i, /trenn/i, /فصل/],
  end: [/end/i, /beende/i, /إنهاء|انتهت/],
  invite: [/invit/i, /einlad/i, /دعوة/],
  leave: [/leave|left/i, /verlassen/i, /مغادرة/],
  makeOwner: [/owner/i, /inhaber/i, /مالك/],
  remove: [/remove/i, /entfern/i, /إزالة/],
  rename: [/rename/i, /umbenannt|umbenennen/i, /تسمية/],
  replace: [/replace/i, /ersetzen/i, /استبدال/],
  require: [/requir/i, /vorschreiben|vorgeschrieben/i, /إلزام/],
  revoke: [/revoke/i, /widerruf/i, /سحب/],
  roll: [/roll/i, /erneuer/i, /تجديد/],
  setUp: [/set up/i, /einrichten/i, /إعداد/],
  stepDown: [/step down/i, /inhaberrolle .*abgeben/i, /التنازل/],
  transfer: [/transfer/i, /übertragen/i, /نقل/],
  turnOff: [/turn off|is off/i, /deaktivier/i, /إيقاف/],
  update: [/update/i, /änder/i, /تحديث/],
} satisfies Record<string, [RegExp, RegExp, RegExp]>

/** The verb of each dialog, then its title, its button, and its result where people read one. */
const dialogs: [keyof typeof verbs, string, string, string?][] = [
  ['revoke', 'Revoke this token?', 'Revoke', 'Token revoked'],
  ['revoke', 'Revoke the invitation for {email}?', 'Revoke', 'Invitation revoked'],
  ['replace', 'Replace the invitation link?', 'Replace'],
  ['remove', 'Remove the invitation link?', 'Remove link', 'Invitation link removed'],
  ['remove', 'Remove {name}?', 'Remove', 'Member removed'],
  ['remove', 'Remove this passkey?', 'Remove', 'Passkey removed'],
  ['rename', 'Rename this passkey', 'Rename', 'Passkey renamed'],
  ['add', 'Add a passkey', 'Add', 'Passkey added'],
  ['connect', 'Connect {name}', 'Connect', '{name} is connected'],
  ['disconnect', 'Disconnect {provider}?', 'Disconnect', '{name} is disconnected'],
  ['setUp', 'Set up an authenticator app', 'Set up', 'Set up your app'],
  ['turnOff', 'Turn off two-factor authentication?', 'Turn off', 'Two-factor authentication is off'],
  ['create', 'Create new recovery codes?', 'Create new codes'],
  ['create', 'Create a token', 'Create a token', 'Token created'],
  [
    'require',
    'Require two-factor authentication in {name}?',
    'Require two-factor authentication',
    'Two-factor authentication is now required',
  ],
  [
    'require',
    'Stop requiring two-factor authentication in {name}?',
    'Stop requiring it',
    'Two-factor authentication is no longer required',
  ],
  ['delete', 'Delete your account', 'Delete your account', 'Your account has been deleted'],
  ['delete', 'Delete the workspace {name}?', 'Delete workspace', 'Workspace deleted'],
  ['end', 'End all other sessions', 'End all other sessions', 'All other sessions have been ended'],
  ['end', 'End this session?', 'End this session', 'That session has ended.'],
  ['roll', 'Roll this token?', 'Roll', 'Token rolled'],
  ['decline', 'Decline the invitation to {account}?', 'Decline invitation', 'Invitation declined'],
  ['makeOwner', 'Make {name} an owner?', 'Make owner'],
  ['transfer', 'Transfer {account} to {name}?', 'Transfer ownership', 'Ownership transferred'],
  ['stepDown', 'Step down as owner of {name}?', 'Step down'],
  ['leave', 'Leave {name}?', 'Leave workspace', 'You left {name}'],
  ['leave', 'Leave without your recovery codes?', 'Leave'],
  ['invite', 'Invite people', 'Invite', 'Invitation sent to {email}.'],
  ['update', 'Update picture', 'Update picture', 'Your picture has been updated'],
]

t.test('a dialog has one verb from its title to its result, which its way out does not have', async (t) => {
  for (const [index, { tag, words }] of languages.entries()) {
    const say = (text: string) => String(words[text] ?? text)
    for (const [verb, ...texts] of dialogs) {
      const pattern = verbs[verb][index] ?? /./
      for (const text of texts) if (text) t.match(say(text), pattern, `${tag}: ${text}`)
      for (const way of ['Cancel', 'Back to the codes']) t.notMatch(say(way), pattern, `${tag}: ${verb}, ${way}`)
    }
  }
})
