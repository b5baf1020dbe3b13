import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Account, accounts, type User } from '../../drizzle/schema.ts'
import { ssoConnections } from '../../drizzle/tables/single-sign-on.ts'
import { text } from '../../plugins/languages/index.ts'
import { inTooMany } from '../accounts/accounts.ts'
import type { FirstFactor } from '../auth/first-factors.ts'
import { paths } from '../paths.ts'
import { type Joining, rejoin } from './identities.ts'
import { mayPass, type Pass, recordPass } from './passes.ts'
import { singleSignOnWords } from './words.ts'

/** The pass comes with the session, after a second step too. */
export const bySingleSignOn = ({ now }: Pick<FastifyInstance, 'now'>): FirstFactor<Pass> => ({
  id: 'sso',
  words: singleSignOnWords,
  holds: mayPass,
  started: (tx, _user, token, pass) => recordPass(tx, now(), token, pass),
  afterSignIn: joinIfInvited,
})

/** Once somebody who is known is signed in: who was removed is told so, or joins if they were invited since. */
async function joinIfInvited(reply: FastifyReply, { id }: User, { connectionId }: Pass) {
  const { server: app } = reply
  const [row] = await app.db
    .select({ account: accounts })
    .from(ssoConnections)
    .innerJoin(accounts, eq(accounts.id, ssoConnections.accountId))
    .where(eq(ssoConnections.id, connectionId))
  if (!row) return undefined
  const joining = await rejoin(app, row.account, id)
  alertIfOut(reply, row.account, joining)
  return joining === 'joined' ? paths.account(row.account.slug).url : undefined
}

export function alertIfOut(reply: FastifyReply, { name }: Account, joining: Joining) {
  if (joining === 'full') return reply.alert(inTooMany)
  if (joining !== 'removed') return reply
  return reply.alert(text('You were removed from {name}. Ask an owner to invite you', { name }))
}
