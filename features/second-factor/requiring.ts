import { and, asc, eq, not, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { requireAllowed } from '../accounts/access.ts'
import { type AccountChange, settingFields } from '../accounts/account-settings.ts'
import { broadcastToMembers, recheckMembers } from '../accounts/channel.ts'
import { memberOf } from '../accounts/member.ts'
import { countMembers } from '../accounts/members.ts'
import { hasSecondFactor } from '../accounts/requirements.ts'
import { lockUserAndConsumeProof, type ReauthenticationProof, reauthenticate } from '../auth/reauthentication/index.ts'
import type { WithoutFactor } from './props.ts'

// What owners choose with the settings of a workspace: whether it requires a second factor of everybody.

const maxNames = 10

const Fields = Type.Object({ require_second_factor: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])) })
Object.assign(settingFields, Fields.properties)

/** Throws Denied, or Invalid without a factor of their own or, to stop it, a proof. */
export async function readRequirement(request: FastifyRequest) {
  const { server: app, signedIn, body } = request
  const { require_second_factor: isRequired = null } = body as Static<typeof Fields>
  if (isRequired === null) return undefined
  const { account, role } = memberOf(request)
  requireAllowed(role, 'requirements.manage')
  if (isRequired) await checkOwnFactor(app, app.db, signedIn.user.id)
  const stops = account.requireSecondFactor && !isRequired
  return changeRequirement(app, signedIn.user.id, isRequired, stops ? await reauthenticate(request) : undefined)
}

export const changeRequirement =
  (app: FastifyInstance, userId: number, isRequired: boolean, proof?: ReauthenticationProof): AccountChange =>
  async (tx, role, { id, requireSecondFactor }) => {
    requireAllowed(role, 'requirements.manage')
    if (isRequired) await checkOwnFactor(app, tx, userId)
    if (isRequired === requireSecondFactor) return undefined
    await tx.update(accounts).set({ requireSecondFactor: isRequired }).where(eq(accounts.id, id))
    await broadcastToMembers(tx, id, 'account')
    await recheckMembers(tx, id)
    // Somebody may have set the requirement after the form was checked, so the proof is asked for here, too. Last,
    // since it locks the user: otherwise it could deadlock with a deletion (see deleteAccount).
    if (!isRequired) await lockUserAndConsumeProof(tx, userId, proof)
    return isRequired ? nowRequired : noLongerRequired
  }

const nowRequired = text('Two-factor authentication is now required')
const noLongerRequired = text('Two-factor authentication is no longer required')

/** Owners without a second factor would lock themselves out. Throws Invalid. */
async function checkOwnFactor(app: FastifyInstance, db: Database | Tx, userId: number) {
  if ((await db.$count(users, and(eq(users.id, userId), hasSecondFactor(app, users.id)))) === 0)
    throw new Invalid({ require_second_factor: [text('needs a second factor of your own')] })
}

/** The members whom a requirement would ask to set up a second factor first: how many of how many, and some names. */
export async function membersWithoutFactor(app: FastifyInstance, accountId: number): Promise<WithoutFactor> {
  const some = app.db
    .select({ name: users.name, lacking: sql<number>`(count(*) over ())::int` })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.accountId, accountId), not(hasSecondFactor(app, memberships.userId))))
    .orderBy(asc(memberships.id))
    .limit(maxNames)
  const [lacking, members] = await Promise.all([some, countMembers(app.db, accountId)])
  return { members, lacking: lacking[0]?.lacking ?? 0, names: lacking.map(({ name }) => name) }
}
