import { NotPossible, type UserCommand, userCommands } from '../auth/user-commands.ts'
import { resetSecondFactor } from './second-factors.ts'

export const secondFactorReset = {
  words: 'EMAIL',
  help: 'turns off two-factor authentication',
  logged: 'second_factor_removed',
  async run(app, tx, { user: { id, email } }) {
    if (!(await resetSecondFactor(app, tx, id))) throw new NotPossible(`${email} has no second factor`)
    return `${email} signs in without a second factor`
  },
} as const satisfies UserCommand

userCommands['reset-second-factor'] = secondFactorReset
