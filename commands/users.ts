import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { identities, memberships, passkeys, sessions, users } from '../drizzle/schema.ts'
import { resetSecondFactor } from '../features/auth/second-factor/second-factors.ts'
import { endEverySession } from '../features/auth/sessions.ts'
import { removeUser } from '../features/auth/user-deletion.ts'
import { normalizeEmail } from '../plugins/mail/index.ts'
import { command, configured, done, notPossible, openApp, Usage } from './command.ts'

const usage = `Usage:
  npm run users -- list [EMAIL]                 one line for each user, or for this one
  npm run users -- sign-out EMAIL               ends all sessions
  npm run users -- reset-second-factor EMAIL    turns off two-factor authentication
  npm run users -- delete EMAIL                 deletes the user, as if they had done it themselves`

type App = Awaited<ReturnType<typeof openApp>>
type User = { id: number; email: string }

const actions: Record<string, (app: App, user: User) => Promise<string | undefined>> = {
  async 'sign-out'(app, user) {
    const ended = await endEverySession(app.db, user.id)
    return ended === 1 ? `1 session of ${user.email} has ended` : `${ended} sessions of ${user.email} have ended`
  },
  async 'reset-second-factor'(app, { email }) {
    return (await resetSecondFactor(app, email)) ? `${email} signs in without a second factor` : undefined
  },
  async delete(app, user) {
    await removeUser(app, user.id)
    return `${user.email} has been deleted`
  },
}

const pageSize = 1000

async function listAll(app: App) {
  let after = 0
  for (;;) {
    const page = await selectUsers(app).where(gt(users.id, after)).orderBy(asc(users.id)).limit(pageSize)
    for (const user of page) print(describe(user))
    if (page.length < pageSize) return done
    after = page.at(-1)?.id ?? after
  }
}

const selectUsers = ({ db, sessionPolicy }: App) =>
  db
    .select({
      id: users.id,
      email: users.email,
      verified: users.verified,
      secondFactorAt: users.secondFactorAt,
      hasPassword: sql<boolean>`${users.passwordDigest} is not null`,
      passkeys: sql<number>`(select count(*)::int from ${passkeys} where ${passkeys.userId} = ${users}.id)`,
      providers: sql<string[] | null>`(
        select json_agg(distinct provider) from ${identities} where ${identities.userId} = ${users}.id)`,
      createdAt: users.createdAt,
      accounts: sql<number>`(select count(*)::int from ${memberships} where ${memberships.userId} = ${users}.id)`,
      sessions: sql<number>`(select count(*)::int from ${sessions}
        where ${and(sql`${sessions.userId} = ${users}.id`, sessionPolicy.isActive())})`,
    })
    .from(users)
    .$dynamic()

type Listed = Awaited<ReturnType<typeof selectUsers>>[number]

function describe(user: Listed) {
  const { id, email, verified, createdAt, accounts, sessions } = user
  return [
    id,
    email,
    verified ? 'verified' : 'unverified',
    signInMethodsOf(user),
    `since ${createdAt.toISOString().slice(0, 10)}`,
    `accounts: ${accounts}`,
    `sessions: ${sessions}`,
  ].join('  ')
}

/** How the person can sign in. */
function signInMethodsOf({ hasPassword, passkeys, providers, secondFactorAt }: Listed) {
  const ways = [
    ...(hasPassword ? ['password'] : []),
    ...(passkeys > 0 ? [passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`] : []),
    ...(providers ?? []),
    ...(secondFactorAt ? ['second factor'] : []),
  ]
  if (ways.length === 0) return 'no sign-in method'
  return ways.join() === 'password' ? 'password only' : ways.join(' + ')
}

function print(line: string) {
  console.log(line)
  return done
}

function refuse(line: string) {
  console.error(line)
  return notPossible
}

await command({
  usage,
  async run([action = '', email, ...rest]) {
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (rest.length > 0 || !(action === 'list' || (act && email))) throw new Usage()

    const app = await openApp(await configured())
    if (!act && !email) return listAll(app)
    const address = normalizeEmail(email ?? '')
    const [user] = await selectUsers(app).where(eq(users.email, address))
    if (!user) return refuse(`No user with the email ${address}`)
    if (!act) return print(describe(user))
    const outcome = await act(app, user)
    return outcome ? print(outcome) : refuse(`${address} has no second factor`)
  },
})
