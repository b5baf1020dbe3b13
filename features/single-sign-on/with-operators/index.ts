import { eq } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { accounts } from '../../../drizzle/schema.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { text } from '../../../plugins/languages/index.ts'
import { addActions } from '../../operators/actions.ts'
import { belowAdmin } from '../../operators/guard.ts'
import { domainsOf } from '../domains.ts'
import { setRequired } from '../requirement.ts'
import { liftSsoRequirement } from './paths.ts'

/** The domains of a workspace, and what lets its people in when their provider broke, which locks a company out. */
export const helpOfOperators: FastifyPluginAsync = async (app) => {
  belowAdmin(app)
  app.addProps('operators/account', async (request) => ({
    domains: (await domainsOf(app.db, Number((request.params as { accountId: string }).accountId))).map(
      ({ domain, verifiedAt }) => ({
        domain,
        verified_at: verifiedAt?.toISOString() ?? null,
      }),
    ),
  }))

  addActions(app, 'account', {
    path: liftSsoRequirement,
    log: 'sso_requirement_lifted',
    async act(app, tx, accountId) {
      const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for('no key update')
      if (!account) throw new NotFound()
      if (account.requireSingleSignOn) await setRequired(app, tx, { accountId, userId: null }, false)
      return text('Single sign-on is no longer required')
    },
  })
}
