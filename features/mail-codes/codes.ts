import { and, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import { mailCodes } from '../../drizzle/tables/mail-codes.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import { type Device, ownBudgetFor } from '../auth/device.ts'

declare module '../../plugins/security/tokens.ts' {
  interface DerivedPurposes {
    mail_code: true
    mail_code_digest: true
    mail_code_state: true
  }
}

const tenMinutesMs = 600_000
const maxTries = 5

/** What a code depends on. Once the address or the password changes, the code is void. */
const stateOf = ({ tokens }: FastifyInstance, { email, emailRevision, passwordDigest }: User) =>
  tokens.derive('mail_code_state', [email, emailRevision, passwordDigest].join(' '))

/** Always the same code for the same request, so that a mail that is tried again is no second one. */
const codeOf = ({ tokens }: FastifyInstance, id: string) =>
  String(Buffer.from(tokens.derive('mail_code', id), 'base64url').readBigUInt64BE() % 100_000_000n).padStart(8, '0')

const digestOf = ({ tokens }: FastifyInstance, id: string, code: string) =>
  tokens.derive('mail_code_digest', `${id} ${code}`)

type Asked = { id: string; email: string; before?: string | undefined; device?: Device | undefined }

/** For any address alike: who has it is looked up by the worker. Voids the code that this browser asked for before. */
export function requestCode(app: FastifyInstance, { id, email, before, device }: Asked) {
  return app.db.transaction(async (tx) => {
    await tx.delete(mailCodes).where(eq(mailCodes.id, before ?? id))
    const budget = await ownBudgetFor(tx, 'sign_in_code_mail', device, email)
    // From now on, and not from when the mail is sent: it would tell who has an address.
    await tx.insert(mailCodes).values({ id, expiresAt: new Date(app.now().getTime() + tenMinutesMs) })
    await app.mail.queue(tx, 'sign_in_code', { codeId: id, email, ...(budget && { budget }) })
  })
}

/** The code for the mail that is being sent. Undefined if it is void or tried, or the mailbox got ten today. */
export function mintCode(app: FastifyInstance, id: string, user: User, own?: string) {
  return app.db.transaction(async (tx) => {
    // A suspension deletes the codes of a user, so it must not come between this and the code.
    const isActive = and(eq(users.id, user.id), isNull(users.suspendedAt))
    if ((await tx.select({ id: users.id }).from(users).where(isActive).for('share')).length === 0) return undefined
    const isOpen = and(eq(mailCodes.id, id), gt(mailCodes.expiresAt, app.now()), eq(mailCodes.tries, 0))
    const [asked] = await tx.select().from(mailCodes).where(isOpen).for('update')
    if (!asked) return undefined
    const isFirst = asked.digest === null
    if (isFirst && !(await tryTakeMail(tx, 'sign_in_code_mail', user.email, { own }))) return undefined
    const code = codeOf(app, id)
    const values = { userId: user.id, state: stateOf(app, user), digest: digestOf(app, id, code) }
    await tx.update(mailCodes).set(values).where(eq(mailCodes.id, id))
    return code
  })
}

/** Whether it is of a mail that a newer one replaced, which is no guess. */
export const isReplaced = (app: FastifyInstance, replaced: string[], code: string) =>
  replaced.some((id) => codeOf(app, id) === code)

/** Counts the try first, so that of many at once five are compared. `void` also after the fifth wrong one. */
export async function tryCode(app: FastifyInstance, id: string, code: string) {
  const isOpen = and(eq(mailCodes.id, id), gt(mailCodes.expiresAt, app.now()), lt(mailCodes.tries, maxTries))
  const tried = { tries: sql`${mailCodes.tries} + 1` }
  const [row] = await app.db.update(mailCodes).set(tried).where(isOpen).returning()
  if (!row) return 'void'
  if (row.digest !== null && row.digest === digestOf(app, id, code)) return 'right'
  return row.tries < maxTries ? 'wrong' : 'void'
}

/** Uses a right code up, for this user as they are now, who proves their address by it. False if it is void. */
export async function consumeCode(app: FastifyInstance, tx: Tx, id: string, user: User) {
  const isOfUser = and(eq(mailCodes.id, id), eq(mailCodes.userId, user.id), isNotNull(mailCodes.digest))
  const [code] = await tx.delete(mailCodes).where(isOfUser).returning({ state: mailCodes.state })
  if (code?.state !== stateOf(app, user) || !user.verified || user.suspendedAt) return false
  const values = { provedEmail: user.email, updatedAt: users.updatedAt }
  await tx.update(users).set(values).where(eq(users.id, user.id))
  return true
}
