import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from './address.ts'
import { rootOf } from './failures.ts'
import { createListener } from './listener.ts'
import { withClient } from './pool.ts'

/** One line for operators, without values. */
export class DatabaseUnusable extends Error {}

type Options = { seconds: number; log(line: string): void }

const logIntervalMs = 5000

/** Throws DatabaseUnusable after the time limit, or at once if waiting does not help, as with a wrong password. */
export async function waitForDatabase(address: Address, { seconds, log }: Options) {
  const until = Date.now() + seconds * 1000
  let loggedAt = Date.now()
  for (;;) {
    const failure = await withClient(address, (client) => client.query('select 1')).then(() => undefined, rootOf)
    if (!failure) return
    if (!isUnavailable(failure) || Date.now() >= until) throw new DatabaseUnusable(describe(failure, address))
    if (Date.now() - loggedAt >= logIntervalMs) {
      loggedAt = Date.now()
      log(`Waiting for the database of ${address.variable} (${reasonOf(failure)})`)
    }
    await sleep(Math.min(500, Math.max(0, until - Date.now())))
  }
}

/** Throws DatabaseUnusable if notifications do not arrive, as behind a transaction pooler. */
export async function requireListening(address: Address) {
  const listener = createListener(address)
  const channel = `probe_${randomBytes(6).toString('hex')}`
  const arrived = Promise.withResolvers<true>()
  try {
    await listener.listen(channel, () => arrived.resolve(true))
    await withClient(address, (client) => client.query('select pg_notify($1, $2)', [channel, '']))
    if (await Promise.race([arrived.promise, sleep(3000, false, { ref: false })])) return
  } finally {
    await listener.close()
  }
  throw new DatabaseUnusable(
    `Notifications do not arrive over ${address.variable}, which looks like a transaction pooler: ` +
      'set DATABASE_DIRECT_URL to the address of the database itself',
  )
}

export async function describeErrors<T>(address: Address, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    const failure = rootOf(error)
    if (!isUnavailable(failure) && !reasonFor(failure)) throw error
    throw new DatabaseUnusable(describe(failure, address))
  }
}

const reasons: Record<string, string> = {
  '3D000': 'does not exist: create it, or name another one',
  '28000': 'rejects this role, or wants TLS: add sslmode=require to the address',
  '28P01': 'refuses the password of this role',
  '42501': 'does not allow this role what the application needs: grant it CONNECT and CREATE',
  '25006': 'is read-only: name the primary',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host: use its name, or sslmode=verify-ca',
  CERT_HAS_EXPIRED: 'has a certificate that is out of date',
}

function reasonFor({ code = '', message }: Failure) {
  if (/unsupported startup parameter/.test(message))
    return 'is behind a transaction pooler: set DATABASE_DIRECT_URL to the address of the database itself'
  if (/does not support SSL/.test(message)) return 'offers no TLS, which its sslmode asks for'
  if (code === '08P01') return 'refuses how we connect: a pooler may not know the database or the role'
  if (/CERT|SELF_SIGNED|_SIGNATURE|^ERR_SSL|^EPROTO/.test(code) && !(code in reasons))
    return 'has a certificate of an authority that is not trusted: name it by sslrootcert or DATABASE_CA'
  return reasons[code]
}

function describe(failure: Failure, { variable }: Address) {
  if (isUnavailable(failure)) return `The database of ${variable} cannot be reached (${reasonOf(failure)})`
  return `The database of ${variable} ${reasonFor(failure) ?? `cannot be used (${reasonOf(failure)})`}`
}

type Failure = Error & { code?: string }

/** The messages of the driver that come without a code name no address. */
const reasonOf = ({ code, message }: Failure) => code ?? message

const isUnavailable = ({ code = '', message }: Failure) =>
  /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|ENOENT|57P0[123]|53300|CONNECT_TIMEOUT|CONNECTION_)/.test(code) ||
  /^(Connection terminated|timeout e|Query read timeout)/.test(message)
