import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { memberships, sessions, users } from '../drizzle/schema.ts'
import { endEverySession } from '../features/auth/sessions.ts'
import { waysInEnglish } from '../features/auth/sign-in-methods.ts'
import { maxReasonLength, suspend, unsuspend } from '../features/auth/suspension.ts'
import { removeUserWithNotice, withRetries } from '../features/auth/user-deletion.ts'
import { logCommand } from '../features/operators/log.ts'
import { endOperator, isOperator, makeOperator } from '../features/operators/operators.ts'
import type { Action as LoggedAction } from '../features/operators/props.ts'
import { resetSecondFactor } from '../features/second-factor/second-factors.ts'
import type { Tx } from '../plugins/database/index.ts'
import { nameMessages } from '../plugins/forms/parameters.ts'
import { normalizeEmail } from '../plugins/mail/index.ts'
import { command, configured, done, openApp, Usage } from './command.ts'

const usage = `Usage:
  npm run users -- list [EMAIL]                 one line for each user, or for this one
  npm run users -- sign-out EMAIL               ends all sessions
  npm run users -- reset-second-factor EMAIL    turns off two-factor authentication
  npm run users -- delete EMAIL                 deletes the user, as if they had done it themselves
  npm run users -- suspend EMAIL [REASON]       keeps the user out; only operators see the reason
  npm run users -- unsuspend EMAIL              lifts the suspension
  npm run users -- operator EMAIL on|off        who sees and helps everybody, at /admin`

type App = Awaited<ReturnType<typeof openApp>>

/** `word` is what follows the address. */
type Target = { user: Listed; word: string | undefined; demoEmail: string | undefined }

/** Changes a user and returns the line to print. Throws NotPossible. */
type Action = (app: App, tx: Tx, target: Target) => Promise<string>

class NotPossible extends Error {}

const actions: Record<string, Action> = {
  async 'sign-out'(_app, tx, { user }) {
    const ended = await endEverySession(tx, user.id)
    return ended === 1 ? `1 session of ${user.email} has ended` : `${ended} sessions of ${user.email} have ended`
  },
  async 'reset-second-factor'(app, tx, { user: { id, email } }) {
    if (!(await resetSecondFactor(app, tx, id))) throw new NotPossible(`${email} has no second factor`)
    return `${email} signs in without a second factor`
  },
  async delete(app, tx, { user }) {
    if (!(await removeUserWithNotice(app, tx, user))) throw new NotPossible(`${user.email} has been deleted already`)
    return `${user.email} has been deleted`
  },
  async suspend(app, tx, { user: { id, email }, word }) {
    if (await suspend(app, tx, id, word ?? null)) return `${email} is suspended`
    if (word === undefined) throw new NotPossible(`${email} is suspended already`) // keeps the reason of before
    return `${email} was suspended already, and the reason is another now`
  },
  async unsuspend(app, tx, { user: { id, email } }) {
    if (!(await unsuspend(app, tx, id))) throw new NotPossible(`${email} is not suspended`)
    return `${email} is active again`
  },
  async operator(app, tx, { user: { id, email, operatorSince }, word, demoEmail }) {
    if (word === 'off') {
      const [user] = await tx.select().from(users).where(eq(users.id, id)).for('no key update')
      if (!user || !(await endOperator(app, tx, user))) throw new NotPossible(`${email} is no operator`)
      return `${email} is no operator any more`
    }
    if (isOperator({ operatorSince })) throw new NotPossible(`${email} is an operator already`)
    if (email === demoEmail || !(await makeOperator(app, tx, id)))
      throw new NotPossible(`${email} needs a verified address and an authenticator app, and must not be the demo user`)
    return `${email} is an operator now`
  },
}

/** What the log of operators calls them. */
const logged: Record<string, LoggedAction> = {
  'sign-out': 'sessions_ended',
  'reset-second-factor': 'second_factor_removed',
  delete: 'user_deleted',
  suspend: 'user_suspended',
  unsuspend: 'user_unsuspended',
  'operator on': 'operator_granted',
  'operator off': 'operator_revoked',
}

/** Whether an action takes what follows the address. */
function isWord(action: string, word: string | undefined) {
  if (action === 'operator') return word === 'on' || word === 'off'
  if (word === undefined) return true
  return action === 'suspend' && nameMessages(word, maxReasonLength).length === 0
}

const pageSize = 1000

async function listAll(app: App) {
  await logCommand(app, app.db, 'users_listed')
  let after = 0
  for (;;) {
    const page = await selectUsers(app).where(gt(users.id, after)).orderBy(asc(users.id)).limit(pageSize)
    await printUsers(app, page)
    if (page.length < pageSize) return done
    after = page.at(-1)?.id ?? after
  }
}

const selectUsers = ({ db, sessionPolicy }: App) =>
  db
    .select({
      id: users.id,
      email: users.email,
      language: users.language,
      verified: users.verified,
      suspendedAt: users.suspendedAt,
      operatorSince: users.operatorSince,
      createdAt: users.createdAt,
      accounts: sql<number>`(select count(*)::int from ${memberships} where ${memberships.userId} = ${users}.id)`,
      sessions: sql<number>`(select count(*)::int from ${sessions}
        where ${and(sql`${sessions.userId} = ${users}.id`, sessionPolicy.isActive())})`,
    })
    .from(users)
    .$dynamic()

type Listed = Awaited<ReturnType<typeof selectUsers>>[number]

async function printUsers(app: App, listed: Listed[]) {
  const waysOf = await waysInEnglish(
    app,
    listed.map(({ id }) => id),
  )
  for (const user of listed) print(describe(user, waysOf(user.id)))
  return done
}

function describe(user: Listed, ways: string[]) {
  const { id, email, verified, suspendedAt, createdAt, accounts, sessions } = user
  return [
    id,
    email,
    verified ? 'verified' : 'unverified',
    ...(suspendedAt ? ['suspended'] : []),
    ...(isOperator(user) ? ['operator'] : []),
    signInMethodsIn(ways),
    `since ${createdAt.toISOString().slice(0, 10)}`,
    `accounts: ${accounts}`,
    `sessions: ${sessions}`,
  ].join('  ')
}

function signInMethodsIn(ways: string[]) {
  if (ways.length === 0) return 'no sign-in method'
  return ways.join() === 'password' ? 'password only' : ways.join(' + ')
}

function print(line: string) {
  console.log(line)
  return done
}

await command({
  usage,
  async run([action = '', email, word, ...rest]) {
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined
    const isKnown = action === 'list' || (act && email)
    if (rest.length > 0 || !isKnown || !isWord(action, word)) throw new Usage()

    const config = await configured()
    const app = await openApp(config)
    if (!act && !email) return listAll(app)
    const address = normalizeEmail(email ?? '')
    const [user] = await selectUsers(app).where(eq(users.email, address))
    if (!user) throw new NotPossible(`No user with the email ${address}`)
    if (!act) {
      await logCommand(app, app.db, 'user_viewed', user.id)
      return printUsers(app, [user])
    }
    const demoEmail = config.demoAdmin && normalizeEmail(config.demoAdmin.email)
    const name = logged[action === 'operator' ? `${action} ${word}` : action]
    return print(
      await withRetries(app.db, async (tx) => {
        const line = await act(app, tx, { user, word, demoEmail })
        if (name) await logCommand(app, tx, name, user.id)
        return line
      }),
    )
  },
})
