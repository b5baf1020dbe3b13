import { and, eq, isNull, lt, ne, or } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions, users } from '../../drizzle/schema.ts'
import { secondFactors } from '../../drizzle/tables/second-factor.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid, Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { record } from '../activity/index.ts'
import { settingUpFactor } from '../auth/factors.ts'
import { recordWithNotice } from '../auth/notices.ts'
import {
  lockVerified,
  type Reauthenticated,
  requireVerified,
  type Session,
  withReauthentication,
} from '../auth/reauthentication/index.ts'
import { addFactor, deleteSessions } from '../auth/sessions.ts'
import { NotPossible, type UserCommand, userCommands } from '../auth/user-commands.ts'
import { makeRecoveryCodes, newSecret, normalizeCode, stepOf } from './codes.ts'
import { removeSecondFactor } from './ways-in.ts'

const tenMinutesMs = 600_000

/** Creates a secret, which takes effect when confirmed, and replaces an unconfirmed one. Throws Invalid or Refused. */
export const startSetup = ({ db, now, sealing }: FastifyInstance, reauthenticated: Reauthenticated) =>
  withReauthentication(db, reauthenticated, async (tx, user) => {
    requireVerified(user)
    if (user.secondFactorAt) throw new Refused(text('Two-factor authentication is already on'))
    const secret = newSecret()
    const setup = { setupSecret: sealing.seal(secret, ownerOf(user.id)), setupAt: now() }
    const values = { userId: user.id, ...setup }
    await tx.insert(secondFactors).values(values).onConflictDoUpdate({ target: secondFactors.userId, set: setup })
    return secret
  })

/** Ends all other sessions, since they began without it. Undefined if the code is wrong. Throws Refused. */
export function confirmSetup(app: FastifyInstance, session: Session, code: string) {
  const { db, now, sealing } = app
  const { userId } = session
  return sessionTransaction(
    db,
    session.token,
    async (tx) => {
      const user = await lockVerified(tx, userId)
      const [factor] = await tx.select().from(secondFactors).where(eq(secondFactors.userId, userId))
      const isFresh = factor?.setupAt && now().getTime() - factor.setupAt.getTime() < tenMinutesMs
      const opened = isFresh && factor.setupSecret && sealing.open(factor.setupSecret, ownerOf(userId))
      if (!opened) throw new Refused(text('That took too long. Please start again'))
      const step = stepOf(opened, normalizeCode(code), now())
      if (step === undefined || !(await acceptStep(tx, userId, step))) return undefined

      const setUpAt = now()
      await settingUpFactor(app, tx, session, setUpAt)
      const secret = sealing.seal(opened, ownerOf(userId))
      const enabled = { secret, setupSecret: null, setupAt: null, wrongCodes: 0, locks: 0, lockedUntil: null }
      await tx.update(secondFactors).set(enabled).where(eq(secondFactors.userId, userId))
      await tx.update(users).set({ secondFactorAt: setUpAt }).where(eq(users.id, userId))
      const token = await addFactor(tx, session, { secondFactor: 'code', twoFactorsSince: setUpAt })
      await deleteSessions(tx, userId, ne(sessions.token, token))
      const recoveryCodes = await makeRecoveryCodes(tx, userId)
      await recordWithNotice(app, tx, user, 'second_factor_enabled', {})
      return { recoveryCodes, token }
    },
    { workLocksSession: true },
  )
}

export const turnOff = (app: FastifyInstance, reauthenticated: Reauthenticated) =>
  withReauthentication(app.db, reauthenticated, (tx, user) => removeSecondFactor(app, tx, user))

/** For operators. Returns false if the user has no second factor. */
export async function resetSecondFactor(app: FastifyInstance, tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user?.secondFactorAt) return false
  await removeSecondFactor(app, tx, user, null)
  return true
}

export const secondFactorReset = {
  words: 'EMAIL',
  help: 'turns off two-factor authentication',
  logged: 'second_factor_removed',
  async run(app, tx, { user: { id, email } }) {
    if (!(await resetSecondFactor(app, tx, id))) throw new NotPossible(`${email} has no second factor`)
    return `${email} signs in without a second factor`
  },
} as const satisfies UserCommand

userCommands['reset-second-factor'] = secondFactorReset

export const renewRecoveryCodes = ({ db }: FastifyInstance, reauthenticated: Reauthenticated) =>
  withReauthentication(db, reauthenticated, async (tx, { id: userId, secondFactorAt }) => {
    if (!secondFactorAt) throw new Refused(text('Two-factor authentication is off'))
    await record(tx, 'recovery_codes_made', { userId })
    return makeRecoveryCodes(tx, userId)
  })

/** Returns false if this time step, or a later one, was used before. */
export async function acceptStep(tx: Tx, userId: number, step: number) {
  const isFresh = or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step))
  const unused = and(eq(secondFactors.userId, userId), isFresh)
  return (await tx.update(secondFactors).set({ lastStep: step }).where(unused)).rowCount === 1
}

/** Binds a sealed secret to its user, so it cannot be copied into another row. */
export const ownerOf = (userId: number) => `second factor of ${userId}`

export const wrongCode = { code: [text('is invalid')] }

/** Throws Invalid if it was sealed under a SECRET_KEY_BASE that this process does not have. */
export function openSecret(sealing: FastifyInstance['sealing'], userId: number, sealed: string) {
  const secret = sealing.open(sealed, ownerOf(userId))
  if (secret) return secret
  throw new Invalid(wrongCode, text("Your authenticator app can't be checked now. Use a recovery code instead"))
}
