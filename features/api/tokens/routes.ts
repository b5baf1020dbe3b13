import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import type { Messages } from '../../../plugins/forms/flash.ts'
import { ChallengeBody, challengeFields, idPattern, OptionalText } from '../../../plugins/forms/parameters.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { text } from '../../../plugins/languages/index.ts'
import { reauthenticate, requireVerified } from '../../auth/reauthentication/index.ts'
import { flashSecret, readFlashedSecret } from '../../flashed-secrets.ts'
import { formRoute } from '../../forms.ts'
import { createToken, type Keeper, type NewToken, rollToken, type TokenInput } from './tokens.ts'

export const TokenBody = Type.Object({
  name: OptionalText,
  scope: OptionalText,
  days: Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()])),
  ...challengeFields,
})

type TokenPage<Token extends NewToken> = {
  url: string
  /** The same of a request. */
  form(request: FastifyRequest): string
  show(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  body: TObject
  check(body: TokenInput): { errors: Messages; token: Token }
  revocation: Parameters<typeof formRoute>[1]
  keeperOf(request: FastifyRequest): Keeper<Token>
}

/** The page of tokens of whatever kind, and its writes. */
export function tokenRoutes<Token extends NewToken>(app: FastifyInstance, page: TokenPage<Token>) {
  const { url, form, show, body, check, revocation, keeperOf } = page
  const item = `${url}/${idPattern}`
  const idOf = ({ params }: FastifyRequest) => Number((params as { id: string }).id)

  app.get(url, { config: { reauthenticates: true } }, async (request, reply) => {
    const { token } = readFlashedSecret(request)
    if (token) reply.flashNow({ token })
    return show(request, reply)
  })

  app.post(url, formRoute(form, 'token_creation', { body }), async (request, reply) => {
    requireVerified(request.signedIn.user)
    const { errors, token } = check(request.body as TokenInput)
    const secret = await createToken(app, keeperOf(request), token, await reauthenticate(request, errors))
    request.security('token', 'created')
    return flashSecret(reply, { token: secret }).notice(text('Token created')).redirect(form(request))
  })

  app.post(`${item}/roll`, formRoute(form, 'token_creation', { body: ChallengeBody }), async (request, reply) => {
    requireVerified(request.signedIn.user)
    const secret = await rollToken(app, keeperOf(request), idOf(request), await reauthenticate(request))
    request.security('token', 'rolled')
    return flashSecret(reply, { token: secret }).notice(text('Token rolled')).redirect(form(request))
  })

  app.delete(item, formRoute(form, revocation), async (request, reply) => {
    if ((await keeperOf(request).revoke(idOf(request))) === 0) throw new NotFound()
    request.security('token', 'revoked')
    return reply.notice(text('Token revoked')).redirect(form(request))
  })
}
