import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { lt } from 'drizzle-orm'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { trustedBrowsers } from '../../../drizzle/schema.ts'
import { Invalid } from '../../../plugins/forms/index.ts'
import { ChallengeBody, OptionalText } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { guessing, type LimitName } from '../../../plugins/security/limits/index.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'
import { record } from '../../activity/index.ts'
import { flashSecret, readFlashedSecret } from '../../flashed-secrets.ts'
import { formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import { chooseNewPassword, defineNotice, reviewSessions } from '../notices.ts'
import { reauthenticateSession } from '../reauthentication/index.ts'
import { requireVerified, secondFactorOf } from '../sign-in-methods.ts'
import { forgetTrustedBrowsers } from '../trusted-browsers/trusted-browsers.ts'
import { presentSecondFactor, presentSetup } from './props.ts'
import { confirmSetup, renewRecoveryCodes, startSetup, turnOff, wrongCode } from './second-factors.ts'
import { verifyRoutes } from './verify.ts'

/** Two-factor authentication: codes from an authenticator app, and recovery codes in case it is lost. */
export const secondFactor: FastifyPluginAsync = async (app) => {
  defineMails(app)
  app.sweeper.add({ table: trustedBrowsers, isExpired: () => lt(trustedBrowsers.expiresAt, app.now()) })
  app.register(securityRoutes)
  app.register(verifyRoutes)
}

/** The second factor on the page of security settings, and once what was just made. */
export async function showSecondFactor(request: FastifyRequest, reply: FastifyReply) {
  const { user } = request.signedIn
  const { db, site } = request.server
  const { setup, recoveryCodes } = readFlashedSecret(request)
  if (setup) reply.flashNow({ setup: presentSetup(setup, { issuer: site.appName, label: user.email }) })
  if (recoveryCodes) reply.flashNow({ recovery_codes: recoveryCodes })
  const factor = await secondFactorOf(db, user.id)
  return factor ? presentSecondFactor(factor) : null
}

const securityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url
  const challenged = (limit: LimitName) => formRoute(page, limit, { body: ChallengeBody })

  app.post(paths.startSecondFactor().url, challenged('second_factor_setup'), async (request, reply) => {
    requireVerified(request.signedIn.user)
    const setup = await startSetup(app, await reauthenticateSession(request))
    return flashSecret(reply, { setup }).redirect(page)
  })

  const confirming = formRoute(page, 'second_factor_confirmation', { body: Type.Object({ code: OptionalText }) })
  app.patch(paths.confirmSecondFactor().url, confirming, async (request, reply) => {
    const { session } = request.signedIn
    const finished = await guessing(app.db, session.userId, () => confirmSetup(app, session, request.body.code ?? ''))
    if (!finished) throw new Invalid(wrongCode)
    const { recoveryCodes, token } = finished
    request.security('second_factor', 'enabled')
    return flashSecret(reply, { recoveryCodes })
      .setSession(token)
      .notice(text('Two-factor authentication is on'))
      .redirect(page)
  })

  app.delete(paths.forgetTrustedBrowsers().url, formRoute(page, 'profile_change'), async (request, reply) => {
    const { userId, token } = request.signedIn.session
    await sessionTransaction(app.db, token, async (tx) => {
      await forgetTrustedBrowsers(tx, userId)
      await record(tx, 'trusted_browsers_forgotten', { userId })
    })
    return reply.notice(text('Trusted browsers forgotten')).redirect(page)
  })

  app.delete(paths.endSecondFactor().url, challenged('second_factor_removal'), async (request, reply) => {
    await turnOff(app, await reauthenticateSession(request))
    request.security('second_factor', 'disabled')
    return reply.notice(text('Two-factor authentication is off')).redirect(page)
  })

  app.post(paths.renewRecoveryCodes().url, challenged('recovery_codes'), async (request, reply) => {
    const recoveryCodes = await renewRecoveryCodes(app, await reauthenticateSession(request))
    return flashSecret(reply, { recoveryCodes }).redirect(page)
  })
}

const advice = [text("If this wasn't you, someone knows your password. Change it right away.")]

function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  defineNotice(app, 'second_factor_enabled', () => ({
    subject: text('Two-factor authentication is on'),
    preheader: text('Check that it was you, and keep your recovery codes in a safe place.'),
    paragraphs: [
      text(
        `From now on, signing in to {appName} with your password also takes a code from your authenticator app. All
          other devices have been signed out.`,
        { appName },
      ),
      text('Keep your recovery codes in a safe place: without your phone, they are your way in.'),
    ],
    advice,
  }))
  defineNotice(app, 'second_factor_disabled', () => ({
    subject: text('Two-factor authentication is off'),
    preheader: text('Check that it was you: from now on, your password alone is enough.'),
    paragraphs: [
      text(`From now on, your password alone is enough to sign in to {appName}. Your recovery codes no longer work.`, {
        appName,
      }),
    ],
    advice,
  }))
  defineNotice(app, 'second_factor_locked', () => ({
    subject: text('Somebody knows your password'),
    preheader: text('Change it now. They did not get in.'),
    paragraphs: [
      text(
        `Someone entered your password on {appName}, then ten wrong codes in a row. They did not get in. Codes from
          your authenticator app are blocked for a while; a recovery code or a passkey still signs you in.`,
        { appName },
      ),
    ],
    advice: [text('Change your password now, here and anywhere else you use it.'), ...advice],
    action: chooseNewPassword,
    secondaryAction: reviewSessions,
  }))
  defineNotice(app, 'recovery_code_used', async ({ userId }) => ({
    subject: text('A recovery code was used'),
    preheader: text('Check that it was you, and how many codes are left.'),
    paragraphs: [
      text('Someone signed in to {appName} with your password and one of your recovery codes.', { appName }),
      countOf((await secondFactorOf(app.db, userId))?.codesLeft ?? 0),
    ],
    advice,
  }))
}

function countOf(left: number) {
  if (left === 0) return text('You have none left. Create new ones.')
  return left === 1 ? text('You have one left.') : text('You have {count} left.', { count: left })
}
