import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { tokenRoles, workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { ChallengeBody, idPattern, OptionalText } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { requireAllowed } from '../accounts/access.ts'
import {
  AccountParams,
  accountProps,
  accountRoute,
  actorOf,
  belowAccount,
  changeBudget,
  formAt,
  ItemParams,
  memberOf,
} from '../accounts/index.ts'
import { TokenBody } from '../api/tokens/index.ts'
import { checkToken } from '../api/tokens/tokens.ts'
import { reauthenticate, requireVerified } from '../auth/reauthentication/index.ts'
import { flashSecret, readFlashedSecret } from '../flashed-secrets.ts'
import { formRoute } from '../forms.ts'
import { workspaceTokenPaths } from './paths.ts'
import { presentWorkspaceToken } from './props.ts'
import { createToken, findTokens, isIn, revokeToken, rollToken } from './tokens.ts'

type Options = { demoEmail: string | undefined }

const Body = Type.Object({ ...TokenBody.properties, role: OptionalText })

export const workspaceTokenRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { demoEmail }) => {
  belowAccount(app)
  const { db } = app

  /** One of another workspace is unknown, before anybody's role is asked. */
  app.addHook('preHandler', async (request) => {
    const { account, role } = memberOf(request)
    const { id } = request.params as { id?: string }
    if (id && (await db.$count(workspaceTokens, isIn(account.id, Number(id)))) === 0) throw new NotFound()
    requireAllowed(role, 'tokens.manage')
    if (request.method !== 'GET' && request.signedIn.user.email === demoEmail)
      throw new Refused(text('The demo user connects nothing'))
  })

  const url = `${accountRoute}/tokens`
  const page = formAt(workspaceTokenPaths.workspaceTokens)
  const schema = { params: AccountParams }
  app.get(url, { schema, config: { reauthenticates: true } }, async (request, reply) => {
    const { token } = readFlashedSecret(request)
    if (token) reply.flashNow({ token })
    const tokens = await findTokens(app, db, eq(workspaceTokens.accountId, memberOf(request).account.id))
    return reply.page('accounts/tokens', { ...accountProps(request), tokens: tokens.map(presentWorkspaceToken) })
  })

  app.post(url, formRoute(page, 'token_creation', { ...schema, body: Body }), async (request, reply) => {
    requireVerified(request.signedIn.user)
    const { errors, token } = checkToken(request.body)
    const role = tokenRoles.find((each) => each === request.body.role)
    const unknownRole = role ? [] : [text('is not included in the list')]
    const reauthentication = await reauthenticate(request, { ...errors, role: unknownRole })
    const secret = await createToken(app, actorOf(request), { ...token, role: role ?? 'member', reauthentication })
    request.security('token', 'created')
    return flashSecret(reply, { token: secret }).notice(text('Token created')).redirect(page(request))
  })

  const idOf = ({ params }: FastifyRequest) => Number((params as { id: string }).id)
  const rolling = formRoute(page, 'token_creation', { params: ItemParams, body: ChallengeBody })
  app.post(`${url}/${idPattern}/roll`, rolling, async (request, reply) => {
    requireVerified(request.signedIn.user)
    const reauthentication = await reauthenticate(request)
    const secret = await rollToken(app, actorOf(request), idOf(request), { reauthentication })
    request.security('token', 'rolled')
    return flashSecret(reply, { token: secret }).notice(text('Token rolled')).redirect(page(request))
  })

  const removal = formRoute(page, changeBudget, { params: ItemParams })
  app.delete(`${url}/${idPattern}`, removal, async (request, reply) => {
    await revokeToken(app, actorOf(request), idOf(request))
    request.security('token', 'revoked')
    return reply.notice(text('Token revoked')).redirect(page(request))
  })
}
