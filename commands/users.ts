import { parseArgs } from 'node:util'
import '../app.ts' // whose options define commands
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { memberships, sessions, users } from '../drizzle/schema.ts'
import { waysInEnglish } from '../features/auth/sign-in-methods.ts'
import { NotPossible, type UserCommand, userCommands } from '../features/auth/user-commands.ts'
import { normalizeEmail } from '../plugins/mail/index.ts'
import { command, configured, done, logCommand, openApp, Usage } from './command.ts'
import { importUsers } from './import.ts'

type App = Awaited<ReturnType<typeof openApp>>

const list = { words: '[EMAIL]', help: 'one line for each user, or for this one' }
const importing = { words: 'FILE|- [--dry-run] [--rejected FILE]', help: 'JSON lines, of standard input with -' }

const usage = ['Usage:', ...Object.entries({ list, ...userCommands, import: importing }).map(usageOf)].join('\n')

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
    ...Object.values(userCommands).flatMap(({ mark }) => mark?.(user) ?? []),
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

function readImport(args: string[]) {
  const options = { 'dry-run': { type: 'boolean' }, rejected: { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [file, ...rest] = positionals
    if (file && rest.length === 0) return { file, dryRun: values['dry-run'], rejected: values.rejected }
  } catch {} // an unknown option
  throw new Usage()
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
  const chosen = Object.hasOwn(userCommands, name) ? userCommands[name] : undefined
  const isKnown = name === 'list' || (chosen && email)
  if (rest.length > 0 || !isKnown || !(chosen?.takes ?? takesNone)(word)) throw new Usage()

  const app = await openApp(await configured())
  if (!chosen && !email) return listAll(app)
  const address = normalizeEmail(email ?? '')
  const [user] = await selectUsers(app).where(eq(users.email, address))
  if (!user) throw new NotPossible(`No user with the email ${address}`)
  if (!chosen) {
    await logCommand(app, app.db, 'user_viewed', user.id)
    return printUsers(app, [user])
  }
  return print(
    await app.db.transaction(async (tx) => {
      const line = await chosen.run(app, tx, { user, word })
      const { logged } = chosen
      await logCommand(app, tx, typeof logged === 'string' ? logged : logged(word), user.id)
      return line
    }),
  )
}
