import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../drizzle/schema.ts'
import { createAccount } from '../features/accounts/accounts.ts'
import { record } from '../features/activity/index.ts'
import { isStorable } from '../plugins/database/index.ts'
import { isVisible, lengthOf } from '../plugins/forms/parameters.ts'
import { isEmailAddress, normalizeEmail } from '../plugins/mail/index.ts'
import { verifierOf } from '../plugins/security/foreign-digests.ts'
import { done, notPossible } from './command.ts'

type Options = { dryRun?: boolean | undefined; rejected?: string | undefined }
type Values = typeof users.$inferInsert
type Refusal = 'is invalid' | 'is taken' | 'unknown digest' | 'too long'

const maxLength = 255
const maxLineLength = 65_536
const atOnce = 8 // transactions

/**
 * Imports users from JSON lines, each in a transaction of its own, so that it can be run again after a break. Prints
 * a line for each that is refused, and never anything of a digest.
 */
export async function importUsers(app: FastifyInstance, file: string, { dryRun = false, rejected }: Options) {
  const total = file === '-' ? undefined : (await stat(file)).size
  const input = file === '-' ? process.stdin : createReadStream(file)
  const refused = rejected === undefined ? undefined : await open(rejected, 'wx', 0o600)
  const seen = new Set<string>()
  const began = Date.now()
  let [line, imported] = [0, 0]

  async function importLine(json: string) {
    const { email, refusal, values } = read(app, json)
    if (!values) return { email, refusal }
    const isDouble = seen.has(values.email)
    seen.add(values.email)
    const isTaken = async () =>
      dryRun ? (await app.db.$count(users, eq(users.email, values.email))) > 0 : !(await insert(app, values))
    return { email, refusal: isDouble || (await isTaken()) ? ('is taken' as const) : undefined }
  }

  async function importBatch(batch: string[]) {
    const outcomes = await Promise.all(batch.map(importLine))
    if (!dryRun) seen.clear() // the database knows them
    for (const { email, refusal: reason } of outcomes) {
      line++
      if (!reason) imported++
      else {
        clearLine()
        console.log(`${line}: ${email}: ${reason}`)
        await refused?.appendFile(`${JSON.stringify({ line, email, reason })}\n`)
      }
    }
    const share = total && input.bytesRead / total
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${describeProgress(line, Date.now() - began, share)}`)
  }

  const batch: string[] = []
  for await (const json of linesIn(input)) {
    batch.push(json)
    if (batch.length === atOnce) await importBatch(batch.splice(0))
  }
  await importBatch(batch)
  await refused?.close()
  clearLine()
  console.log(`${imported} imported, ${line - imported} not`)
  return imported === line ? done : notPossible
}

/** Of a line that is too long only the beginning is kept, so that none fills the memory. */
async function* linesIn(input: Readable) {
  let rest = ''
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = (lines.pop() ?? '').slice(0, maxLineLength + 1)
    yield* lines
  }
  if (rest) yield rest
}

const clearLine = () => process.stderr.isTTY && process.stderr.write('\r\x1b[K')

/** `share`: of the file. */
export function describeProgress(lines: number, ms: number, share?: number) {
  const rate = `${lines} lines, ${Math.round((lines * 1000) / Math.max(ms, 1))} a second`
  if (!share) return rate
  const seconds = Math.round(((1 / share - 1) * ms) / 1000)
  return `${rate}, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`
}

/** False if the address is taken. */
const insert = (app: FastifyInstance, values: Values) =>
  app.db.transaction(async (tx) => {
    const [user] = await tx.insert(users).values(values).onConflictDoNothing().returning({ id: users.id })
    if (!user) return false
    await createAccount(app, tx, values.name, user.id, { personal: true })
    await record(tx, 'imported', { userId: user.id, actorId: null })
    return true
  })

type Read = { email: string; refusal?: Refusal; values?: Values }

function read(app: FastifyInstance, json: string): Read {
  const fields = json.length > maxLineLength ? undefined : objectIn(json)
  const email = typeof fields?.email === 'string' ? normalizeEmail(fields.email) : ''
  const refuse = (refusal: Refusal) => ({ email: email.slice(0, maxLength).replace(/\p{C}/gu, ''), refusal })
  if (json.length > maxLineLength) return refuse('too long')
  if (!fields || !isEmailAddress(email)) return refuse('is invalid')
  const { name, password_digest: digest = null, verified = false, language = null, created_at: created } = fields
  // The last is what decoding puts in the place of bytes that are no UTF-8.
  if (typeof name !== 'string' || !isVisible(name) || !isStorable(name) || name.includes('\ufffd'))
    return refuse('is invalid')
  if (lengthOf(name) > maxLength) return refuse('too long')
  if (digest !== null && (typeof digest !== 'string' || !verifierOf(digest))) return refuse('unknown digest')
  const createdAt = created == null ? app.now() : new Date(String(created))
  const isPast = createdAt.getTime() > 0 && createdAt <= app.now()
  if (typeof verified !== 'boolean' || !isPast || (language !== null && typeof language !== 'string'))
    return refuse('is invalid')
  const known = language !== null && app.languages.has(language) ? language : null
  const proof = verified ? { verified, verifiedAt: createdAt } : {}
  return { email, values: { name, email, passwordDigest: digest, language: known, createdAt, ...proof } }
}

function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(json.trim()) // which also removes a byte order mark
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
