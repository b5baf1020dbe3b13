import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'

/** One line for operators, without values. */
export class DatabaseUnusable extends Error {}

type Failure = Error & { code?: string }

/** What Postgres or the driver said. Drizzle's error around it says which statement failed, and where. */
export const unwrapQueryError = (error: Error): Failure =>
  error instanceof DrizzleQueryError && error.cause ? error.cause : error

export function rootOf(error: unknown): Failure {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? rootOf(error.cause) : error
}

/** Whether a value was there already, of this constraint or of any. */
export function isUniqueViolation(error: unknown, constraint?: string) {
  const root = rootOf(error)
  if (!(root instanceof pg.DatabaseError) || root.code !== '23505') return false
  return constraint === undefined || root.constraint === constraint
}

/** Thrown by the work of a transaction, which is then done again: what it read before it had its locks has changed. */
export class StaleRead extends Error {
  constructor() {
    super('others keep changing what a transaction reads before it has its locks')
  }
}

// A serialization failure, and a deadlock.
const conflictCodes = ['40001', '40P01']

/** Whether another transaction came between, so that this one can be done again. */
export function isConflict(error: unknown) {
  if (error instanceof StaleRead) return true
  const root = rootOf(error)
  return root instanceof pg.DatabaseError && conflictCodes.includes(root.code ?? '')
}

/** Whether the connection can serve others after this error. One that was found read-only may remain so. */
export const isUsableAfter = (error: unknown) =>
  error instanceof pg.DatabaseError && !/^(08|57P|25P03|25P04|25006)/.test(error.code ?? '')

// Postgres ended a late statement, the wait for a lock, an idle transaction, or a whole one.
const lateCodes = ['57014', '55P03', '25P03', '25P04', ...conflictCodes]
// The driver gives its own no codes.
const lateMessages =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated due to connection timeout|timeout expired)$/

/** Whether it failed because of a time limit, or of others even when it was tried again. A later retry may succeed. */
export function isLate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The pool's own error of a connection that took too long has a cause that says less.
  if (error instanceof StaleRead || lateMessages.test(error.message) || isLate(error.cause)) return true
  return 'code' in error && lateCodes.includes(String(error.code))
}

/** Whether it failed since the database only reads, as a standby or one that is being moved. */
export const isReadOnly = (error: unknown) => rootOf(error).code === '25006'

export const isUnavailable = ({ code = '', message }: Failure) =>
  /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|ENOENT|57P0[123]|53300|CONNECT_TIMEOUT|CONNECTION_)/.test(code) ||
  /^(Connection terminated|timeout e|Query read timeout)/.test(message)

/** The messages of the driver that come without a code name no address. */
export const reasonOf = ({ code, message }: Failure) => code ?? message

/** What an operator can do about it, after `The database of DATABASE_URL`. Undefined if we do not know. */
export function problemOf(failure: Failure) {
  if (isUnavailable(failure)) return `cannot be reached (${reasonOf(failure)})`
  const { code = '', message } = failure
  const parameter = /unsupported startup parameter(?: in options)?: (\w+)/.exec(message)?.[1]
  if (parameter) return `is behind a pooler that refuses the startup parameter ${parameter}: ${withoutParameter}`
  return problems.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1]
}

const withoutParameter = 'remove it from the address, or name it in ignore_startup_parameters of PgBouncer'
export const needsDirectUrl = 'set DATABASE_DIRECT_URL to the address of the database itself'

const problems: [RegExp, string][] = [
  [/does not support SSL/, 'offers no TLS, which its sslmode asks for'],
  [/^08P01/, 'refuses how we connect: a pooler may not know the database or the role'],
  [/^3D000/, 'does not exist: create it, or name another one'],
  [/^28000/, 'rejects this role, or wants TLS: add sslmode=require to the address'],
  [/^28P01/, 'refuses the password of this role'],
  [/^42501/, 'does not allow this role what the application needs: grant it CONNECT and CREATE'],
  [/^25006/, 'is read-only: name the primary'],
  [/^ERR_TLS_CERT_ALTNAME/, 'has a certificate for another host: use its name, or sslmode=verify-ca'],
  [/^\S*(CERT|SELF_SIGNED|_SIGNATURE)/, 'has a certificate that is not trusted: see sslrootcert and DATABASE_CA'],
]
