import { eq } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { tokenRoles, workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import { OptionalText } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { requireAllowed } from '../accounts/access.ts'
import { accountProps, accountRoute, actorOf, belowAccount, changeBudget, formAt, memberOf } from '../accounts/index.ts'
import { TokenBody, tokenRoutes } from '../api/tokens/routes.ts'
import { checkToken, type TokenInput } from '../api/tokens/tokens.ts'
import { refuseDemoUser } from '../auth/reauthentication/index.ts'
import { workspaceTokenPaths } from './paths.ts'
import { presentWorkspaceToken } from './props.ts'
import { findTokens, isIn, workspaceKeeper } from './tokens.ts'

export const workspaceTokenRoutes: FastifyPluginAsync = async (app) => {
  belowAccount(app)

  /** One of another workspace is unknown, before anybody's role is asked. */
  app.addHook('preHandler', async (request) => {
    const { account, role } = memberOf(request)
    const { id } = request.params as { id?: string }
    if (id && (await app.db.$count(workspaceTokens, isIn(account.id, Number(id)))) === 0) throw new NotFound()
    requireAllowed(role, 'tokens.manage')
    if (request.method !== 'GET') refuseDemoUser(request)
  })

  tokenRoutes(app, {
    url: `${accountRoute}/tokens`,
    form: formAt(workspaceTokenPaths.workspaceTokens),
    async show(request, reply) {
      const tokens = await findTokens(app, app.db, eq(workspaceTokens.accountId, memberOf(request).account.id))
      return reply.page('accounts/tokens', { ...accountProps(request), tokens: tokens.map(presentWorkspaceToken) })
    },
    body: Type.Object({ ...TokenBody.properties, role: OptionalText }),
    check,
    revocation: changeBudget,
    keeperOf: (request) => workspaceKeeper(app, actorOf(request)),
  })
}

function check(input: TokenInput & { role?: string | null }) {
  const { errors, token } = checkToken(input)
  const role = tokenRoles.find((each) => each === input.role)
  return {
    errors: { ...errors, role: role ? [] : [text('is not included in the list')] },
    token: { ...token, role: role ?? 'member' },
  }
}
