import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import type { Database } from '../../plugins/database/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { raw, text } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import { consumeOnce } from '../../plugins/security/once.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { record } from '../activity/index.ts'
import { settingUpFactor } from '../auth/factors.ts'
import { defineNotice, type NoticeIds, recordWithNotice } from '../auth/notices.ts'
import {
  lockVerified,
  type Reauthenticated,
  requireVerified,
  type Session,
  withReauthentication,
} from '../auth/reauthentication/index.ts'
import { addFactor } from '../auth/sessions.ts'
import { requireAnotherWay } from '../auth/sign-in-methods.ts'
import { maxPasskeys } from './bounds.ts'
import { factorsOfPasskey, passkeysOf, removePasskeys } from './ways-in.ts'
import type { Registration } from './webauthn/relying-party.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    passkey_removed: NoticeIds
    passkey_added: NoticeIds
  }
}

const ownedBy = (userId: number) => eq(passkeys.userId, userId)
const isPasskeyOf = (userId: number, id: number) => and(eq(passkeys.id, id), ownedBy(userId))

/** The user's id for authenticators is created on first use. Throws Invalid, or Refused without a verified address. */
export const prepareRegistration = (db: Database, reauthenticated: Reauthenticated) =>
  withReauthentication(db, reauthenticated, async (tx, user) => {
    requireVerified(user)
    const handle = user.passkeyHandle ?? randomBytes(64).toString('base64url')
    const values = { passkeyHandle: handle, updatedAt: users.updatedAt }
    if (!user.passkeyHandle) await tx.update(users).set(values).where(eq(users.id, user.id))
    return { handle, passkeys: await passkeysOf(tx, user.id) }
  })

/** Undefined if the challenge is consumed or the passkey known, `full` beyond the limit of 20. Throws Refused. */
export function addPasskey(app: FastifyInstance, session: Session, { answered, passkey }: Registration, name: string) {
  const { userId } = session
  return sessionTransaction(
    app.db,
    session.token,
    async (tx) => {
      const user = await lockVerified(tx, userId) // also so that concurrent additions cannot exceed the limit
      if ((await tx.$count(passkeys, ownedBy(userId))) >= maxPasskeys) return 'full'
      if (!(await consumeOnce(tx, answered))) return undefined
      const setUpAt = app.now()
      await settingUpFactor(app, tx, session, setUpAt)
      const values = { userId, name, createdAt: setUpAt, ...passkey }
      if ((await tx.insert(passkeys).values(values).onConflictDoNothing()).rowCount === 0) return undefined
      const token = await addFactor(tx, session, factorsOfPasskey(setUpAt))
      await recordWithNotice(app, tx, user, 'passkey_added', { passkey_name: name })
      return { token }
    },
    { workLocksSession: true },
  )
}

export function renamePasskey(db: Database, { userId, token }: Session, id: number, name: string) {
  return sessionTransaction(db, token, async (tx) => {
    const isPasskey = isPasskeyOf(userId, id)
    const [passkey] = await tx.select({ name: passkeys.name }).from(passkeys).where(isPasskey).for('update')
    if (!passkey) throw new NotFound()
    if (passkey.name === name) return
    await tx.update(passkeys).set({ name }).where(isPasskeyOf(userId, id))
    await record(tx, 'passkey_renamed', { userId, from: passkey.name, to: name })
  })
}

export const removePasskey = (app: FastifyInstance, reauthenticated: Reauthenticated, id: number) =>
  withReauthentication(app.db, reauthenticated, async (tx, user) => {
    await requireAnotherWay(app, tx, user.id, { method: 'passkeys', id })
    if ((await removePasskeys(app, tx, user, eq(passkeys.id, id))) === 0) throw new NotFound()
  })

const advice = [text("If this wasn't you, someone knows your password. Change it, and check your passkeys.")]

function factsOf({ passkey_name }: Record<string, unknown>) {
  const name = nameInMail(String(passkey_name ?? ''))
  return name ? [{ label: text('Passkey'), value: raw(name) }] : []
}

export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  defineNotice(app, 'passkey_added', ({ details }) => ({
    subject: text('A passkey was added'),
    preheader: text('Check that it was you who added it.'),
    paragraphs: [text('Anyone with this passkey can sign in to {appName} as you, without your password.', { appName })],
    facts: factsOf(details),
    advice,
  }))
  defineNotice(app, 'passkey_removed', ({ details }) => ({
    subject: text('A passkey was removed'),
    preheader: text('Check that it was you who removed it.'),
    paragraphs: [text('The passkey can no longer be used to sign in to {appName}.', { appName })],
    facts: factsOf(details),
    advice,
  }))
}
