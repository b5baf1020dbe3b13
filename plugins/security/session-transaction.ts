import { eq, type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { sessions } from '../../drizzle/schema.ts'
import { type Database, isLate, type Tx } from '../database/index.ts'
import { type Text, text } from '../languages/index.ts'

/**
 * What lets a request write: a session, by its token, or what a feature accepts instead, as a select that finds it
 * while it is valid.
 */
export type Credential = string | { row: SQL }

export class SignedOut extends Error {}

type Work<Result> = (tx: Tx) => Promise<Result>

/**
 * Runs `work` in a transaction that commits only if the session still exists. The session is locked last, as deletions
 * lock it. With `workLocksSession`, the work itself locks it, such as to give it another token. Throws SignedOut.
 */
export const sessionTransaction = <Result>(
  db: Database,
  credential: Credential,
  work: Work<Result>,
  { workLocksSession = false } = {},
) =>
  db
    .transaction(async (tx) => {
      const result = await work(tx)
      if (!workLocksSession) await lockSession(tx, credential)
      return result
    })
    .catch(async (error) => {
      // A database that was too late once is asked nothing more, or the answer would be late, too.
      if (isLate(error)) throw error
      // If the user was deleted meanwhile, the work may fail in other ways, such as a foreign key violation.
      throw (await exists(db, credential)) ? error : new SignedOut()
    })

/** For transactions that delete their own session. Throws SignedOut. */
export async function lockSession(tx: Tx, credential: Credential) {
  if (!(await exists(tx, credential, sql`for share`))) throw new SignedOut()
}

async function exists(db: Database | Tx, credential: Credential, lock = sql``) {
  const row = typeof credential === 'string' ? sessionRow(credential) : credential.row
  return (await db.execute(sql`${row} ${lock}`)).rowCount === 1
}

const sessionRow = (token: string) => sql`select from ${sessions} where ${eq(sessions.token, token)}`

/** The page that sent the request was rendered for another user than the one who is signed in now. */
export class WrongPerson extends Error {
  readonly statusCode = 409
  readonly alert: Text
  readonly alwaysJson: boolean

  constructor(email: string, { answersJson = false }: { answersJson?: boolean }) {
    super('the page shows another person')
    this.alert = text('You are signed in as {email} now. Nothing was changed', { email })
    this.alwaysJson = answersJson
  }
}

/** Whether the page that sent the request shows someone else than the session's user. */
export function isPageOfAnother({ auth, headers }: FastifyRequest) {
  const shown = String(headers['x-signed-in-as'])
  return auth !== null && /^(?:guest|\d{1,15})$/.test(shown) && Number(shown) !== auth.user.id
}

/** A partial reload would mix what two people see. */
export const isPartOfAnother = (request: FastifyRequest) =>
  request.headers['x-inertia-partial-component'] !== undefined && isPageOfAnother(request)
