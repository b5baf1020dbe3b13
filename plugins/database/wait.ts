import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from './address.ts'
import { openClient } from './client.ts'

/** The message is one line for operators. It names the variable, and never contains its value. */
export class DatabaseUnusable extends Error {}

type Failure = Error & { code?: string; severity?: string; routine?: string; cause?: Failure }
type Options = { seconds: number; log(line: string): void }

const logIntervalMs = 5000

/**
 * Waits until the database accepts connections. Throws DatabaseUnusable after the time limit, or at once if waiting
 * does not help, for example with a wrong password.
 */
export async function waitForDatabase(address: Address, { seconds, log }: Options) {
  const until = Date.now() + seconds * 1000
  let loggedAt = Date.now()
  for (;;) {
    const failure = await failureOf(address)
    if (!failure) return
    if (!isUnavailable(failure) || Date.now() >= until) throw new DatabaseUnusable(describe(failure, address))
    if (Date.now() - loggedAt >= logIntervalMs) {
      loggedAt = Date.now()
      log(`Waiting for the database of ${address.variable} (${codeOf(failure)})`)
    }
    await sleep(Math.min(500, Math.max(0, until - Date.now())))
  }
}

async function failureOf(address: Address) {
  const client = openClient(address, { pool: 1 })
  try {
    await client`select 1`
    return undefined
  } catch (error) {
    return error as Failure
  } finally {
    await client.end({ timeout: 1 })
  }
}

/** Rethrows database failures as messages for operators. */
export async function describeErrors<T>(address: Address, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
    const failure = rootOf(error as Failure)
    if (!isUnavailable(failure) && !(codeOf(failure) in reasons)) throw error
    throw new DatabaseUnusable(describe(failure, address))
  }
}

const reasons: Record<string, string> = {
  '3D000': 'does not exist: create it, or name another one',
  '28000': 'rejects this role, or requires TLS',
  '28P01': 'refuses the password of this role',
  '42501': 'does not allow this role what the application needs: grant it CONNECT and CREATE',
  '08P01': 'refuses how we connect: a pooler may not know the database or the role',
  STARTUP_OPTIONS:
    'is behind a pooler that refuses our time limits: have it ignore them (PgBouncer: ignore_startup_parameters = ' +
    'options) and give them to the role, or set DATABASE_DIRECT_URL (see docs/deployment.md)',
  '25006': 'is read-only: name the primary, or add target_session_attrs=read-write',
  SSL_NOT_SUPPORTED: 'offers no TLS, which its sslmode asks for',
  TARGET_SESSION_ATTRS: 'is on none of its hosts what target_session_attrs asks for',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host: use its name, or sslmode=verify-ca',
  CERT_HAS_EXPIRED: 'has a certificate that is out of date',
}
const untrusted = 'has a certificate of an authority that is not trusted: name it by sslrootcert or DATABASE_CA'

function describe(failure: Failure, { variable }: Address) {
  const code = codeOf(failure)
  if (isUnavailable(failure)) return `The database of ${variable} cannot be reached (${code})`
  return `The database of ${variable} ${reasons[code] ?? (isTls(code) ? untrusted : `cannot be used (${code})`)}`
}

const rootOf = (failure: Failure): Failure => (failure.cause instanceof Error ? rootOf(failure.cause) : failure)
function codeOf(failure: Failure) {
  const { code, message } = rootOf(failure)
  return refusesOptions.test(message) ? 'STARTUP_OPTIONS' : (code ?? failure.name)
}

// PgBouncer under 08P01, as for much else, and the RDS proxy under 0A000
const refusesOptions = /unsupported startup parameter|support command-line options/

const isTls = (code: string) => /CERT|SELF_SIGNED|_SIGNATURE|^ERR_SSL|^ERR_TLS|^EPROTO/.test(code)

// Unreachable, starting, stopping, out of connections, or a load balancer without a backend.
const ofTheSystem = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|ENOENT)/
const ofTheDriver = /^(CONNECT_TIMEOUT|CONNECTION_|ANSWER_TIMEOUT|POOL_TIMEOUT)/
const ofTheServer = /^(57P0[123]|53300)/
const away = [ofTheSystem, ofTheDriver, ofTheServer]
const isUnavailable = (failure: Failure) => away.some((codes) => codes.test(codeOf(failure)))
