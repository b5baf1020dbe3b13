import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Invalid } from '../../plugins/forms/index.ts'
import { ChallengeBody, OptionalText } from '../../plugins/forms/parameters.ts'
import { text } from '../../plugins/languages/index.ts'
import { guessing, type LimitName } from '../../plugins/security/limits/index.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { record } from '../activity/index.ts'
import { reauthenticateSession, requireVerified } from '../auth/reauthentication/index.ts'
import { flashSecret } from '../flashed-secrets.ts'
import { formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import { secondFactorPaths } from './paths.ts'
import { confirmSetup, renewRecoveryCodes, startSetup, turnOff, wrongCode } from './second-factors.ts'
import { forgetTrustedBrowsers } from './trusted-browsers.ts'

declare module '../flashed-secrets.ts' {
  interface Secrets {
    setup?: string
    recoveryCodes?: string[]
  }
}

/** Turning it on and off in settings, with its recovery codes and trusted browsers. */
export const settingsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url
  const challenged = (limit: LimitName) => formRoute(page, limit, { body: ChallengeBody })

  app.post(secondFactorPaths.startSecondFactor().url, challenged('second_factor_setup'), async (request, reply) => {
    requireVerified(request.signedIn.user)
    const setup = await startSetup(app, await reauthenticateSession(request))
    return flashSecret(reply, { setup }).redirect(page)
  })

  const confirming = formRoute(page, 'second_factor_confirmation', { body: Type.Object({ code: OptionalText }) })
  app.patch(secondFactorPaths.confirmSecondFactor().url, confirming, async (request, reply) => {
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

  app.delete(
    secondFactorPaths.forgetTrustedBrowsers().url,
    formRoute(page, 'profile_change'),
    async (request, reply) => {
      const { userId, token } = request.signedIn.session
      await sessionTransaction(app.db, token, async (tx) => {
        await forgetTrustedBrowsers(tx, userId)
        await record(tx, 'trusted_browsers_forgotten', { userId })
      })
      return reply.notice(text('Trusted browsers forgotten')).redirect(page)
    },
  )

  app.delete(secondFactorPaths.endSecondFactor().url, challenged('second_factor_removal'), async (request, reply) => {
    await turnOff(app, await reauthenticateSession(request))
    request.security('second_factor', 'disabled')
    return reply.notice(text('Two-factor authentication is off')).redirect(page)
  })

  app.post(secondFactorPaths.renewRecoveryCodes().url, challenged('recovery_codes'), async (request, reply) => {
    const recoveryCodes = await renewRecoveryCodes(app, await reauthenticateSession(request))
    return flashSecret(reply, { recoveryCodes }).redirect(page)
  })
}
