import { and, asc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import { sessions, users } from '../../drizzle/schema.ts'
import { type SsoConnection, ssoConnections, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { recheckUser } from '../../plugins/live/broadcast.ts'
import { lockSession } from '../../plugins/security/session-transaction.ts'
import { asAllowed, type UserActor } from '../accounts/access.ts'
import { recheckMembers } from '../accounts/channel.ts'
import { lockUserAndConsumeProof, type ReauthenticationProof } from '../auth/reauthentication/index.ts'
import { recordChange, type Setter } from './changes.ts'
import { type Checked, isSameClient, requireReplaceable } from './connection-form.ts'
import { connectionOf, noFailure, secretOwner } from './connections.ts'
import { stopRequiringFirst } from './owner.ts'

/** `checked.issuer` as the provider writes it. Throws Refused, or Invalid if the proof is void by now. */
export const saveConnection = (
  app: FastifyInstance,
  { accountId, creatorId, run, record }: Setter,
  checked: Checked,
  reauthentication?: ReauthenticationProof,
) =>
  run(async (tx, account) => {
    const { issuer, clientId } = checked
    const connection = await connectionOf(tx, accountId)
    requireReplaceable(account, connection, checked)
    const sealed = checked.secret && { secret: app.sealing.seal(checked.secret, secretOwner(accountId)) }
    if (connection && isSameClient(connection, checked)) {
      await tx
        .update(ssoConnections)
        .set({ issuer, ...sealed })
        .where(eq(ssoConnections.id, connection.id))
    } else if (sealed) {
      await deleteConnection(tx, accountId)
      const added = { createdAt: app.now(), creatorId }
      await tx.insert(ssoConnections).values({ accountId, issuer, clientId, ...sealed, ...added })
    } else {
      throw new Refused(text('Somebody else changed it meanwhile. Try again'))
    }
    await record(tx, 'sso_saved')
    if (reauthentication) await lockUserAndConsumeProof(tx, creatorId, reauthentication) // last, as deleteAccount does
  })

/** Its passes go with it, and nobody is known any more. */
export async function deleteConnection(tx: Tx, accountId: number) {
  await tx.delete(ssoConnections).where(eq(ssoConnections.accountId, accountId))
  await tx.update(ssoIdentities).set({ subject: null, email: null }).where(eq(ssoIdentities.accountId, accountId))
  await recheckMembers(tx, accountId)
}

/**
 * Ends the sessions that began with single sign-on here. Returns whether the actor's own was one of them. Throws
 * Refused while single sign-on is required, NotFound, or Invalid if the proof is void by now.
 */
export const removeConnection = (app: FastifyInstance, actor: UserActor, reauthentication: ReauthenticationProof) =>
  asAllowed(
    app,
    actor,
    'sso.manage',
    async (tx, _role, account) => {
      if (account.requireSingleSignOn) throw stopRequiringFirst()
      const isOfAccount = eq(ssoConnections.accountId, actor.accountId)
      // Nobody passes it any more.
      const [connection] = await tx.select().from(ssoConnections).where(isOfAccount).for('update')
      if (!connection) throw new NotFound()
      const begun = await usersSignedInThrough(tx, connection)
      // All by id, the actor in their turn.
      await lockUsers(tx, begun, lt(users.id, actor.userId))
      await lockUserAndConsumeProof(tx, actor.userId, reauthentication)
      await lockUsers(tx, begun, gt(users.id, actor.userId))
      await lockSession(tx, actor.credential)
      const ended = await tx
        .delete(sessions)
        .where(and(isAnyOf(sessions.userId, begun), signedInThrough(connection)))
        .returning({ token: sessions.token })
      for (const id of begun) await recheckUser(tx, id)
      await deleteConnection(tx, actor.accountId)
      await recordChange(app, tx, actor, 'sso_removed', {})
      return { endsOwnSession: ended.some(({ token }) => token === actor.credential) }
    },
    { workLocksSession: true },
  )

const signedInThrough = ({ id }: SsoConnection) =>
  and(
    eq(sessions.firstFactor, 'sso'),
    sql`exists (select from ${ssoPasses} where ${ssoPasses.sessionToken} = ${sessions.token}
      and ${ssoPasses.connectionId} = ${id})`,
  )

/** However many, which would be too many parameters. */
const isAnyOf = (column: PgColumn, ids: number[]) => sql`${column} = any(${sql.param(ids)}::bigint[])`

const lockUsers = (tx: Tx, ids: number[], which: SQL) =>
  tx
    .select({ id: users.id })
    .from(users)
    .where(and(isAnyOf(users.id, ids), which))
    .orderBy(asc(users.id))
    .for('no key update')

async function usersSignedInThrough(tx: Tx, connection: SsoConnection) {
  const rows = await tx
    .selectDistinct({ id: sessions.userId })
    .from(sessions)
    .where(signedInThrough(connection))
    .orderBy(asc(sessions.userId))
  return rows.map(({ id }) => id)
}

/** Owners have seen it. */
export const dismissFailure = (app: FastifyInstance, actor: UserActor) =>
  asAllowed(app, actor, 'sso.manage', (tx) =>
    tx.update(ssoConnections).set(noFailure).where(eq(ssoConnections.accountId, actor.accountId)),
  )
