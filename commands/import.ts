import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
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
  const input = file === '-' ? process.stdin : createReadStream(file)
  const refused = rejected === undefined ? undefined : createWriteStream(rejected, { flags: 'wx', mode: 0o600 })
  const failed = refused && new Promise<never>((_, reject) => refused.once('error', reject))
  failed?.catch(() => {}) // it is awaited with each batch
  const counts = { imported: 0, not: 0 }
  const began = Date.now()
  let line = 0

  async function importBatch(batch: string[]) {
    const outcomes = await Promise.all(batch.map((json) => importLine(app, json, dryRun)))
    for (const { email, refusal } of outcomes) {
      line++
      if (!refusal) counts.imported++
      else {
        counts.not++
        console.log(`${line}: ${email}: ${refusal}`)
        refused?.write(`${JSON.stringify({ line, email, reason: refusal })}\n`)
      }
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${line} lines, ${perSecond(line, began)} a second `)
  }

  let batch: string[] = []
  for await (const json of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    batch.push(json)
    if (batch.length < atOnce) continue
    await Promise.race([importBatch(batch), ...(failed ? [failed] : [])])
    batch = []
  }
  await importBatch(batch)
  if (process.stderr.isTTY) process.stderr.write('\n')
  if (refused) await new Promise((resolve) => refused.end(resolve))
  console.log(`${counts.imported} imported, ${counts.not} not`)
  return counts.not === 0 ? done : notPossible
}

const perSecond = (lines: number, began: number) => Math.round((lines * 1000) / Math.max(Date.now() - began, 1))

async function importLine(app: FastifyInstance, json: string, dryRun: boolean) {
  const { email, refusal, values } = read(app, json)
  if (!values) return { email, refusal }
  const isFree = dryRun ? (await app.db.$count(users, eq(users.email, values.email))) === 0 : await insert(app, values)
  return { email, refusal: isFree ? undefined : ('is taken' as const) }
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
  const shown = email.slice(0, maxLength).replace(/\p{C}/gu, '')
  const refuse = (refusal: Refusal) => ({ email: shown, refusal })
  if (json.length > maxLineLength) return refuse('too long')
  if (!fields || !isEmailAddress(email) || !isStorable(email)) return refuse('is invalid')
  const { name, password_digest: digest = null, verified = false, language = null, created_at: created } = fields
  if (typeof name !== 'string' || !isVisible(name) || !isStorable(name)) return refuse('is invalid')
  if (lengthOf(name) > maxLength || lengthOf(email) > maxLength) return refuse('too long')
  if (digest !== null && (typeof digest !== 'string' || !verifierOf(digest))) return refuse('unknown digest')
  const createdAt = created == null ? app.now() : new Date(String(created))
  const isPast = createdAt.getTime() > 0 && createdAt <= app.now()
  if (typeof verified !== 'boolean' || !isPast || (language !== null && typeof language !== 'string'))
    return refuse('is invalid')
  const known = language !== null && app.languages.has(language) ? language : null
  const proof = verified ? { verified, verifiedAt: createdAt } : {}
  return { email: shown, values: { name, email, passwordDigest: digest, language: known, createdAt, ...proof } }
}

function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
