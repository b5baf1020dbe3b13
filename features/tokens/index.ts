import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { apiTokens } from '../../drizzle/schema.ts'
import { challengeFields, IdParams, idPattern, OptionalText } from '../../plugins/forms/parameters.ts'
import { text } from '../../plugins/languages/index.ts'
import { budget } from '../../plugins/security/limits/index.ts'
import { defineNotice, type NoticeIds } from '../auth/notices.ts'
import { requireVerified, tokensOf } from '../auth/sign-in-methods.ts'
import { paths } from '../paths.ts'
import { confirm } from '../reauthentication/index.ts'
import { presentToken } from './props.ts'
import { checkToken, createToken, revokeToken } from './tokens.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    token_created: NoticeIds
    token_revoked: NoticeIds
  }
}

declare module '../../plugins/forms/flash.ts' {
  interface FlashState {
    /** Shown once, and only to this user, even if someone else signs in with the same browser. */
    token?: { userId: number; secret: string }
  }
}

const TokenBody = Type.Object({
  name: OptionalText,
  scope: OptionalText,
  days: Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()])),
  ...challengeFields,
})

const monthMs = 30 * 86_400_000

/** Tokens with which programs act as their owner (features/api). */
export const tokens: FastifyPluginAsyncTypebox<{ appName: string }> = async (app, options) => {
  defineMails(app, options)
  const monthAgo = () => new Date(app.now().getTime() - monthMs).toISOString()
  app.sweeper.add({ table: apiTokens, isExpired: () => sql`${apiTokens.expiresAt} < ${monthAgo()}` })
  app.addHook('onRequest', app.requireUser)

  const page = paths.tokens().url
  app.get(page, { config: { reauthenticates: true } }, async (request, reply) => {
    const { user } = request.signedIn
    const created = app.flashStore.read(request)?.token
    if (created?.userId === user.id) reply.flashNow({ token: created.secret })
    return reply.page('settings/tokens', { tokens: (await tokensOf(app.db, user.id)).map(presentToken) })
  })

  const config = { form: page, rateLimit: budget('token_creation') }
  app.post(paths.createToken().url, { schema: { body: TokenBody }, config }, async (request, reply) => {
    requireVerified(request.signedIn.user)
    const { errors, token } = checkToken(request.body)
    const confirmed = await confirm(request, errors)
    const secret = await createToken(app, confirmed, token)
    request.security('token', 'created')
    return reply
      .flash({ token: { userId: confirmed.userId, secret } })
      .notice(text('Token created'))
      .redirect(page)
  })

  const removal = { schema: { params: IdParams }, config: { form: page, rateLimit: budget('profile_change') } }
  app.delete(`${page}/${idPattern}`, removal, async (request, reply) => {
    await revokeToken(app, request.signedIn.session, Number(request.params.id))
    request.security('token', 'revoked')
    return reply.notice(text('Token revoked')).redirect(page)
  })
}

const action = { label: text('Review your tokens'), url: paths.tokens().url }

function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  defineNotice(app, 'token_created', () => ({
    subject: text('A token was created'),
    paragraphs: [text('Programs with this token can use {appName} as you, until it expires.', { appName })],
    advice: [text("If this wasn't you, someone knows your password. Change it, and revoke the token.")],
    action,
  }))
  defineNotice(app, 'token_revoked', () => ({
    subject: text('A token was revoked'),
    paragraphs: [text('Programs with this token can no longer use {appName}.', { appName })],
    advice: [text("If this wasn't you, someone else was signed in as you. End all other sessions.")],
    action,
  }))
}
