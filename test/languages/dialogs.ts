import type { Test } from 'tap'
import { everyText } from '../../pages/translation/scan.ts'
import type { Speech } from '../../plugins/languages/translate.ts'

/** The verb of each dialog, then its title, its button, and its result where people read one. */
const dialogs: [verb: Verb, string, string, string?][] = [
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

export type Verb =
  | 'add'
  | 'connect'
  | 'create'
  | 'decline'
  | 'delete'
  | 'disconnect'
  | 'end'
  | 'invite'
  | 'leave'
  | 'makeOwner'
  | 'remove'
  | 'rename'
  | 'replace'
  | 'require'
  | 'revoke'
  | 'roll'
  | 'setUp'
  | 'stepDown'
  | 'transfer'
  | 'turnOff'
  | 'update'

/**
 * A dialog has one verb from its title to its result, which its way out does not have. What nobody says is left out.
 */
export function holdsVerbs(t: Test, { tag, words }: Speech, verbs: Record<Verb, RegExp>) {
  const said = everyText()
  const say = (text: string) => String(words[text] ?? text)
  for (const [verb, ...texts] of dialogs) {
    for (const text of texts) if (text && said.has(text)) t.match(say(text), verbs[verb], `${tag}: ${text}`)
    for (const way of ['Cancel', 'Back to the codes'])
      if (said.has(way)) t.notMatch(say(way), verbs[verb], `${tag}: ${verb}, ${way}`)
  }
}
