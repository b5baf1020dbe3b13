import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { memberships } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import type { Beginning } from '../accounts/beginnings.ts'
import { may } from '../accounts/rights.ts'
import { isAtDomainOf } from './email-domains.ts'
import { forgetRemoval } from './removed-members.ts'

export const singleSignOnBeginning = (app: FastifyInstance): Beginning => ({
  /** While it is required, only owners let in who cannot pass it, or any manager could get around it. */
  async refuses(db, { account, role }, email) {
    if (!account.requireSingleSignOn || may(role, 'requirements.manage') || (await isAtDomainOf(db, account.id, email)))
      return []
    return [text('must be at a domain of {name}', { name: account.name })]
  },
  async accepted(tx, { account, userId, email, isNew }) {
    const accountId = account.id
    await forgetRemoval(app, tx, { accountId, userId })
    if (!isNew || !account.requireSingleSignOn || (await isAtDomainOf(tx, accountId, email))) return
    const isMembership = and(eq(memberships.accountId, accountId), eq(memberships.userId, userId))
    await tx.update(memberships).set({ outside: true }).where(isMembership)
  },
})
