import { eq } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { accounts } from '../../../drizzle/schema.ts'
import { challengeFields } from '../../../plugins/forms/parameters.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { text } from '../../../plugins/languages/index.ts'
import { formRoute } from '../../forms.ts'
import { pageOfTarget, params, targetIn, url } from '../../operators/accounts.ts'
import { belowAdmin, operate, operatorBudget } from '../../operators/guard.ts'
import { domainsOf } from '../domains.ts'
import { setRequired } from '../requirement.ts'

/** The domains of a workspace, and what lets its people in when their provider broke, which locks a company out. */
export const helpOfOperators: FastifyPluginAsync = async (app) => {
  belowAdmin(app)
  app.addProps('operators/account', async (request) => ({
    domains: (await domainsOf(app.db, targetIn(request))).map(({ domain, verifiedAt }) => ({
      domain,
      verified_at: verifiedAt?.toISOString() ?? null,
    })),
  }))

  const { schema, config } = formRoute(pageOfTarget, operatorBudget, { params, body: Type.Object(challengeFields) })
  const lifting = { schema, config: { ...config, operatorAction: 'sso_requirement_lifted' } } as const
  app.delete(`${url}/sso_requirement`, lifting, async (request, reply) => {
    const accountId = targetIn(request)
    await operate(request, async (tx) => {
      const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for('no key update')
      if (!account) throw new NotFound()
      if (account.requireSingleSignOn) await setRequired(app, tx, { accountId, userId: null }, false)
    })
    return reply.notice(text('Single sign-on is no longer required')).redirect(pageOfTarget(request))
  })
}
