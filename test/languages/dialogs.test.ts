import t from 'tap'
import { english } from '../../plugins/languages/translate.ts'
import { holdsVerbs } from './dialogs.ts'

t.test('a dialog has one verb from its title to its result, which its way out does not have', async (t) => {
  holdsVerbs(t, english, {
    add: /add/i,
    connect: /connect/i,
    create: /create/i,
    decline: /decline/i,
    delete: /delete/i,
    disconnect: /disconnect/i,
    end: /end/i,
    invite: /invit/i,
    leave: /leave|left/i,
    makeOwner: /owner/i,
    remove: /remove/i,
    rename: /rename/i,
    replace: /replace/i,
    require: /requir/i,
    revoke: /revoke/i,
    roll: /roll/i,
    setUp: /set up/i,
    stepDown: /step down/i,
    transfer: /transfer/i,
    turnOff: /turn off|is off/i,
    update: /update/i,
  })
})
