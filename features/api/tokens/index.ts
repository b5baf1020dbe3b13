import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { apiTokens } from '../../../drizzle/tables/api.ts'
import { text } from '../../../plugins/languages/index.ts'
import { defineSecurityEvent } from '../../../plugins/security/log.ts'
import { changePassword, defineNotice, type NoticeIds, reviewSessions } from '../../auth/notices.ts'
import { apiPaths } from '../paths.ts'
import { reviewTokens, tokenFact, warnOfExpiry } from './expiry.ts'
import { userTokens } from './kind.ts'
import { presentToken } from './props.ts'
import { TokenBody, tokenRoutes } from './routes.ts'
import { checkToken } from './tokens.ts'
import { sweepExpired } from './uses.ts'
import { tokenEnding, tokenMethod, tokensOf, userKeeper } from './ways-in.ts'

declare module '../../../plugins/mail/index.ts' {
  interface Mails {
    token_revoked: NoticeIds
    token_created: NoticeIds
  }
}

declare module '../../flashed-secrets.ts' {
  interface Secrets {
    token?: string
  }
}

const outcomes = ['created', 'revoked', 'rolled', 'wrong'] as const

declare module '../../../plugins/security/log.ts' {
  interface SecurityEvents {
    token: (typeof outcomes)[number]
  }
}

defineSecurityEvent('token', [...outcomes])

/** Tokens with which programs act as their owner (features/api). */
export const tokens: FastifyPluginAsync = async (app) => {
  app.registeredOptions.add('api')
  app.tokenKinds.add(userTokens(app))
  app.signInMethods.add(tokenMethod(app))
  app.endings.add(tokenEnding)
  app.exportParts.set('tokens', async (userId) => (await tokensOf(app.db, userId)).map(presentToken))
  defineMails(app)
  warnOfExpiry(app)
  sweepExpired(app, apiTokens)
  app.addHook('onRequest', app.requireUser)

  const url = apiPaths.tokens().url
  tokenRoutes(app, {
    url,
    form: () => url,
    show: async ({ signedIn: { user } }, reply) =>
      reply.page('settings/tokens', { tokens: (await tokensOf(app.db, user.id)).map(presentToken) }),
    body: TokenBody,
    check: checkToken,
    revocation: 'profile_change',
    keeperOf: ({ signedIn: { user, session } }) => userKeeper(app, user, session.token),
  })
}

function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  defineNotice(app, 'token_created', ({ details }) => ({
    subject: text('A token was created'),
    preheader: text('Check that it was you who created it.'),
    paragraphs: [text('Programs with this token can use {appName} as you, until it expires.', { appName })],
    facts: tokenFact(details.token_name),
    advice: [text("If this wasn't you, someone knows your password. Change it, and revoke the token.")],
    action: changePassword,
    secondaryAction: reviewTokens,
  }))
  defineNotice(app, 'token_revoked', ({ details }) => ({
    subject: text('A token was revoked'),
    preheader: text('Check that it was you who revoked it.'),
    paragraphs: [text('Programs with this token can no longer use {appName}.', { appName })],
    facts: tokenFact(details.token_name),
    advice: [text("If this wasn't you, someone else was signed in as you. End all other sessions.")],
    action: reviewSessions,
    secondaryAction: reviewTokens,
  }))
}
