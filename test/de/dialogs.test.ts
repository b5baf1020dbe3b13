import t from 'tap'
import german from '../../languages/de.ts'
import { holdsVerbs } from '../languages/dialogs.ts'

t.test('a dialog has one verb from its title to its result, which its way out does not have', async (t) => {
  holdsVerbs(
    t,
    { tag: 'de', ...german },
    {
      add: /hinzu/i,
      connect: /verb[iu]nden/i,
      create: /erstell/i,
      decline: /ablehnen|abgelehnt/i,
      delete: /lösch/i,
      disconnect: /trenn/i,
      end: /beende/i,
      invite: /einlad/i,
      leave: /verlassen/i,
      makeOwner: /inhaber/i,
      remove: /entfern/i,
      rename: /umbenannt|umbenennen/i,
      replace: /ersetzen/i,
      require: /vorschreiben|vorgeschrieben/i,
      revoke: /widerruf/i,
      roll: /erneuer/i,
      setUp: /einrichten/i,
      stepDown: /inhaberrolle .*abgeben/i,
      transfer: /übertragen/i,
      turnOff: /deaktivier/i,
      update: /änder/i,
    },
  )
})
