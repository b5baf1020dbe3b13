import { eq } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import { NotPossible, userCommands } from '../auth/user-commands.ts'
import { endOperator, isOperator, makeOperator } from './operators.ts'

userCommands.operator = {
  words: 'EMAIL on|off',
  help: 'who sees and helps everybody, at /admin',
  takes: (word) => word === 'on' || word === 'off',
  logged: (word) => (word === 'on' ? 'operator_granted' : 'operator_revoked'),
  async run(app, tx, { user: { id, email }, word }) {
    const [user] = await tx.select().from(users).where(eq(users.id, id)).for('no key update')
    if (word === 'off') {
      if (!user || !(await endOperator(app, tx, user))) throw new NotPossible(`${email} is no operator`)
      return `${email} is no operator any more`
    }
    if (user && isOperator(user)) throw new NotPossible(`${email} is an operator already`)
    if (email === app.site.demoEmail || !(await makeOperator(app, tx, id)))
      throw new NotPossible(`${email} needs a verified address and an authenticator app, and must not be the demo user`)
    return `${email} is an operator now`
  },
  mark: (user) => (isOperator(user) ? ['operator'] : []),
}
