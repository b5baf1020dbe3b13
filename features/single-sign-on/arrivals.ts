import { eq } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { type Account, accounts } from '../../drizzle/schema.ts'
import { ssoConnections } from '../../drizzle/tables/single-sign-on.ts'
import type { Database } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { inTooMany } from '../accounts/accounts.ts'
import type { SignInContext } from '../auth/pending-sign-in.ts'
import { paths } from '../paths.ts'
import { type Joining, rejoin } from './identities.ts'

type Arriving = { userId: number; context: SignInContext }

/** Once somebody who is known is signed in: who was removed is told so, or joins if they were invited since. */
export async function arrive(reply: FastifyReply, account: Account, { userId, context }: Arriving) {
  const { server: app } = reply
  // The session is there already, so its token must be sent whatever fails.
  const joining = (await app.db.afterCommit(() => rejoin(app, account, userId))) ?? 'never'
  if (joining === 'joined') context.returnTo ??= paths.account(account.slug).url
  alertIfOut(reply, account, joining)
}

/** The same after a second step. */
export async function arriveBy(reply: FastifyReply, arriving: Arriving) {
  const { sso } = arriving.context
  const account = sso && (await reply.server.db.afterCommit(() => accountOf(reply.server.db, sso.connectionId)))
  if (account) await arrive(reply, account, arriving)
}

async function accountOf(db: Database, connectionId: number) {
  const [row] = await db
    .select({ account: accounts })
    .from(ssoConnections)
    .innerJoin(accounts, eq(accounts.id, ssoConnections.accountId))
    .where(eq(ssoConnections.id, connectionId))
  return row?.account
}

export function alertIfOut(reply: FastifyReply, { name }: Account, joining: Joining) {
  if (joining === 'full') return reply.alert(inTooMany)
  if (joining !== 'removed') return reply
  return reply.alert(text('You were removed from {name}. Ask an owner to invite you', { name }))
}
