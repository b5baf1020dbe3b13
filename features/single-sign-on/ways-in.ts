import { and, asc, eq, inArray, isNotNull, lt, not, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, sessions, type User } from '../../drizzle/schema.ts'
import { ssoConnections, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { recheckUser } from '../../plugins/live/broadcast.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import { recordWithNotice } from '../auth/notices.ts'
import { endPendingSignIns } from '../auth/pending-sign-in.ts'
import type { SignInMethod } from '../auth/sign-in-methods.ts'
import { isAtVerifiedDomain } from './addresses.ts'

/** Those of these people, connected ones alone, by workspace. */
export const ssoIdentitiesOf = (db: Database | Tx, userIds: number[]) =>
  db
    .select({ identity: ssoIdentities, accountName: accounts.name })
    .from(ssoIdentities)
    .innerJoin(accounts, eq(accounts.id, ssoIdentities.accountId))
    .where(and(inArray(ssoIdentities.userId, userIds), isNotNull(ssoIdentities.subject)))
    .orderBy(asc(accounts.name), asc(ssoIdentities.id))

/** Disconnects single sign-on, with its passes. Returns how many there were. That they had it is kept. */
export async function removeSsoIdentities(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const { id: userId } = user
  const connected = and(eq(ssoIdentities.userId, userId), isNotNull(ssoIdentities.subject), which)
  const removed = await tx
    .update(ssoIdentities)
    .set({ subject: null, email: null })
    .from(accounts)
    .where(and(connected, eq(accounts.id, ssoIdentities.accountId)))
    .returning({ accountId: accounts.id, account_name: accounts.name })
  if (removed.length === 0) return 0
  const ids = removed.map(({ accountId }) => accountId)
  await tx.execute(sql`
    delete from ${ssoPasses} using ${sessions}, ${ssoConnections}
    where ${ssoPasses.sessionToken} = ${sessions.token} and ${sessions.userId} = ${userId}
      and ${ssoPasses.connectionId} = ${ssoConnections.id} and ${inArray(ssoConnections.accountId, ids)}`)
  await endPendingSignIns(app, tx, userId)
  await recheckUser(tx, userId)
  await recordWithNotice(app, tx, user, 'sso_disconnected', ...removed.map(({ account_name }) => ({ account_name })))
  return removed.length
}

/** A workspace can take it away, so it is never enough. */
export const singleSignOnMethod = (app: FastifyInstance): SignInMethod => ({
  name: 'single_sign_on',
  title: text('single sign-on'),
  async find(db, userIds) {
    const rows = await ssoIdentitiesOf(db, userIds)
    return rows.map(({ identity: { id, userId }, accountName }) => {
      return { userId, id, words: [inWords(accountName)], english: 'single sign-on' }
    })
  },
  async remove(tx, user, { before, keepsVouched }) {
    const isOlder = before && lt(ssoIdentities.createdAt, before)
    // The owner of the domain answers for these.
    const isVouched = isAtVerifiedDomain(ssoIdentities.accountId, sql`${user.email}::text`)
    return (await removeSsoIdentities(app, tx, user, and(isOlder, keepsVouched && not(isVouched)))) > 0
  },
})

function inWords(accountName: string) {
  const place = nameInMail(accountName)
  return place ? text('the single sign-on of {place}', { place }) : text('the single sign-on of a workspace')
}
