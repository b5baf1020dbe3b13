import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { apiTokens } from '../../../drizzle/tables/api.ts'
import { ChallengeBody, challengeFields, IdParams, idPattern, OptionalText } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { defineSecurityEvent } from '../../../plugins/security/log.ts'
import { changePassword, defineNotice, type NoticeIds, reviewSessions } from '../../auth/notices.ts'
import { reauthenticateSession, requireVerified } from '../../auth/reauthentication/index.ts'
import { flashSecret, readFlashedSecret } from '../../flashed-secrets.ts'
import { formRoute } from '../../forms.ts'
import { apiPaths } from '../paths.ts'
import { reviewTokens, warnOfExpiry } from './expiry.ts'
import { userTokens } from './kind.ts'
import { presentToken } from './props.ts'
import { checkToken, createToken, revokeToken, rollToken } from './tokens.ts'
import { sweepExpired } from './uses.ts'
import { tokenEnding, tokenMethod, tokensOf } from './ways-in.ts'

declare module '../../../plugins/mail/index.ts' {
  interface Mails {
    token_revoked: NoticeIds
    token_created: NoticeIds
  }
}

const outcomes = ['created', 'revoked', 'rolled', 'wrong'] as const

declare module '../../../plugins/security/log.ts' {
  interface SecurityEvents {
    token: (typeof outcomes)[number]
  }
}

defineSecurityEvent('token', [...outcomes])

export const TokenBody = Type.Object({
  name: OptionalText,
  scope: OptionalText,
  days: Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()])),
  ...challengeFields,
})

/** Tokens with which programs act as their owner (features/api). */
export const tokens: FastifyPluginAsyncTypebox = async (app) => {
  app.registeredOptions.add('api')
  app.tokenKinds.add(userTokens(app))
  app.signInMethods.add(tokenMethod(app))
  app.endings.add(tokenEnding)
  app.exportParts.set('tokens', async (userId) => (await tokensOf(app.db, userId)).map(presentToken))
  defineMails(app)
  warnOfExpiry(app)
  sweepExpired(app, apiTokens)
  app.addHook('onRequest', app.requireUser)

  const page = apiPaths.tokens().url
  app.get(page, { config: { reauthenticates: true } }, async (request, reply) => {
    const { user } = request.signedIn
    const { token } = readFlashedSecret(request)
    if (token) reply.flashNow({ token })
    return reply.page('settings/tokens', { tokens: (await tokensOf(app.db, user.id)).map(presentToken) })
  })

  app.post(
    apiPaths.createToken().url,
    formRoute(page, 'token_creation', { body: TokenBody }),
    async (request, reply) => {
      requireVerified(request.signedIn.user)
      const { errors, token } = checkToken(request.body)
      const reauthenticated = await reauthenticateSession(request, errors)
      const secret = await createToken(app, reauthenticated, token)
      request.security('token', 'created')
      return flashSecret(reply, { token: secret }).notice(text('Token created')).redirect(page)
    },
  )

  const rolling = formRoute(page, 'token_creation', { params: IdParams, body: ChallengeBody })
  app.post(`${page}/${idPattern}/roll`, rolling, async (request, reply) => {
    const secret = await rollToken(app, await reauthenticateSession(request), Number(request.params.id))
    request.security('token', 'rolled')
    return flashSecret(reply, { token: secret }).notice(text('Token rolled')).redirect(page)
  })

  const removal = formRoute(page, 'profile_change', { params: IdParams })
  app.delete(`${page}/${idPattern}`, removal, async (request, reply) => {
    await revokeToken(app, request.signedIn.session, Number(request.params.id))
    request.security('token', 'revoked')
    return reply.notice(text('Token revoked')).redirect(page)
  })
}

function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  defineNotice(app, 'token_created', () => ({
    subject: text('A token was created'),
    preheader: text('Check that it was you who created it.'),
    paragraphs: [text('Programs with this token can use {appName} as you, until it expires.', { appName })],
    advice: [text("If this wasn't you, someone knows your password. Change it, and revoke the token.")],
    action: changePassword,
    secondaryAction: reviewTokens,
  }))
  defineNotice(app, 'token_revoked', () => ({
    subject: text('A token was revoked'),
    preheader: text('Check that it was you who revoked it.'),
    paragraphs: [text('Programs with this token can no longer use {appName}.', { appName })],
    advice: [text("If this wasn't you, someone else was signed in as you. End all other sessions.")],
    action: reviewSessions,
    secondaryAction: reviewTokens,
  }))
}
