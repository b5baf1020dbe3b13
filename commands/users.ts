import { parseArgs } from 'node:util'
import '../app.ts' // whose options define commands
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { memberships, sessions, users } from '../drizzle/schema.ts'
import { endEverySession } from '../features/auth/sessions.ts'
import { waysInEnglish } from '../features/auth/sign-in-methods.ts'
import { maxReasonLength, suspend, unsuspend } from '../features/auth/suspension.ts'
import { commandsOfOptions, NotPossible, type UserCommand } from '../features/auth/user-commands.ts'
import { removeUserWithNotice, withRetries } from '../features/auth/user-deletion.ts'
import { nameMessages } from '../plugins/forms/parameters.ts'
import { normalizeEmail } from '../plugins/mail/index.ts'
import { command, configured, done, logCommand, openApp, Usage } from './command.ts'
import { importUsers } from './import.ts'

type App = Awaited<ReturnType<typeof openApp>>

const commands: Record<string, UserCommand> = {
  'sign-out': {
    words: 'EMAIL',
    help: 'ends all sessions',
    logged: () => 'sessions_ended',
    async run(_app, tx, { user }) {
      const ended = await endEverySession(tx, user.id)
      return ended === 1 ? `1 session of ${user.email} has ended` : `${ended} sessions of ${user.email} have ended`
    },
  },
  delete: {
    words: 'EMAIL',
    help: 'deletes the user, as if they had done it themselves',
    logged: () => 'user_deleted',
    async run(app, tx, { user }) {
      if (!(await removeUserWithNotice(app, tx, user))) throw new NotPossible(`${user.email} has been deleted already`)
      return `${user.email} has been deleted`
    },
  },
  suspend: {
    words: 'EMAIL [REASON]',
    help: 'keeps the user out; only operators see the reason',
    takes: (word) => word === undefined || nameMessages(word, maxReasonLength).length === 0,
    logged: () => 'user_suspended',
    async run(app, tx, { user: { id, email }, word }) {
      if (await suspend(app, tx, id, word ?? null)) return `${email} is suspended`
      if (word === undefined) throw new NotPossible(`${email} is suspended already`) // keeps the reason of before
      return `${email} was suspended already, and the reason is another now`
    },
  },
  unsuspend: {
    words: 'EMAIL',
    help: 'lifts the suspension',
    logged: () => 'user_unsuspended',
    async run(app, tx, { user: { id, email } }) {
      if (!(await unsuspend(app, tx, id))) throw new NotPossible(`${email} is not suspended`)
      return `${email} is active again`
    },
  },
  ...commandsOfOptions,
}

const list = { words: '[EMAIL]', help: 'one line for each user, or for this one' }
const importing = { words: 'FILE|- [--dry-run] [--rejected FILE]', help: 'JSON lines, of standard input with -' }

const usage = ['Usage:', ...Object.entries({ list, ...commands, import: importing }).map(usageOf)].join('\n')

function usageOf([name, { words, help }]: [string, Pick<UserCommand, 'words' | 'help'>]) {
  return `  npm run users -- ${`${name} ${words}`.padEnd(28)} ${help}`
}

const takesNone = (word: string | undefined) => word === undefined

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
    ...Object.values(commands).flatMap(({ mark }) => mark?.(user) ?? []),
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

function importIn(words: string[]) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, rejected: { type: 'string' } },
  })
  const [file, ...rest] = positionals
  if (!file || rest.length > 0) throw new Usage()
  return { file, dryRun: values['dry-run'], rejected: values.rejected }
}

function readImport(words: string[]) {
  try {
    return importIn(words)
  } catch {
    throw new Usage()
  }
}

await command({
  usage,
  async run(words) {
    if (words[0] !== 'import') return manage(words)
    const { file, ...options } = readImport(words.slice(1))
    return importUsers(await openApp(await configured()), file, options)
  },
})

async function manage([name = '', email, word, ...rest]: string[]) {
  const chosen = Object.hasOwn(commands, name) ? commands[name] : undefined
  const isKnown = name === 'list' || (chosen && email)
  if (rest.length > 0 || !isKnown || !(chosen?.takes ?? takesNone)(word)) throw new Usage()

  const config = await configured()
  const app = await openApp(config)
  if (!chosen && !email) return listAll(app)
  const address = normalizeEmail(email ?? '')
  const [user] = await selectUsers(app).where(eq(users.email, address))
  if (!user) throw new NotPossible(`No user with the email ${address}`)
  if (!chosen) {
    await logCommand(app, app.db, 'user_viewed', user.id)
    return printUsers(app, [user])
  }
  return print(
    await withRetries(app.db, async (tx) => {
      const line = await chosen.run(app, tx, { user, word, demoEmail: config.demoEmail })
      await logCommand(app, tx, chosen.logged(word), user.id)
      return line
    }),
  )
}
