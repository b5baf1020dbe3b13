import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Invalid } from '../../../plugins/forms/index.ts'
import { ChallengeBody, OptionalText } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { guessing, type LimitName } from '../../../plugins/security/limits/index.ts'
import { whileSignedIn } from '../../../plugins/security/while-signed-in.ts'
import { record } from '../../activity/index.ts'
import { forgetTrustedBrowsers } from '../../auth/device.ts'
import { requireVerified, secondFactorOf } from '../../auth/sign-in-methods.ts'
import { formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import { confirm } from '../../reauthentication/index.ts'
import { shownOnce, showOnce } from '../../show-once.ts'
import { presentSecondFactor, presentSetup } from '../props.ts'
import { confirmSetup, renewRecoveryCodes, startSetup, turnOff, wrongCode } from '../second-factors.ts'

/** The second factor on the page of security settings, and once what was just made. */
export async function showSecondFactor(request: FastifyRequest, reply: FastifyReply) {
  const { user } = request.signedIn
  const { db, site } = request.server
  const { setup, recoveryCodes } = shownOnce(request)
  if (setup) reply.flashNow({ setup: presentSetup(setup, { issuer: site.appName, label: user.email }) })
  if (recoveryCodes) reply.flashNow({ recovery_codes: recoveryCodes })
  const factor = await secondFactorOf(db, user.id)
  return factor ? presentSecondFactor(factor) : null
}

export const securityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url
  const challenged = (limit: LimitName) => formRoute(page, limit, { body: ChallengeBody })

  app.post(paths.startSecondFactor().url, challenged('second_factor_setup'), async (request, reply) => {
    requireVerified(request.signedIn.user)
    const setup = await startSetup(app, await confirm(request))
    return showOnce(reply, { setup }).redirect(page)
  })

  const confirming = formRoute(page, 'second_factor_confirmation', { body: Type.Object({ code: OptionalText }) })
  app.patch(paths.confirmSecondFactor().url, confirming, async (request, reply) => {
    requireVerified(request.signedIn.user)
    const { session } = request.signedIn
    const confirmed = await guessing(app.db, 'challenge', session.userId, () =>
      confirmSetup(app, session, request.body.code ?? ''),
    )
    if (!confirmed) throw new Invalid(wrongCode)
    const { recoveryCodes, token } = confirmed
    request.security('second_factor', 'enabled')
    return showOnce(reply, { recoveryCodes })
      .setSession(token)
      .notice(text('Two-factor authentication is on'))
      .redirect(page)
  })

  app.delete(paths.forgetTrustedBrowsers().url, formRoute(page, 'profile_change'), async (request, reply) => {
    const { userId, token } = request.signedIn.session
    await whileSignedIn(app.db, token, async (tx) => {
      await forgetTrustedBrowsers(tx, userId)
      await record(tx, 'trusted_browsers_forgotten', { userId })
    })
    return reply.notice(text('Trusted browsers forgotten')).redirect(page)
  })

  app.delete(paths.endSecondFactor().url, challenged('second_factor_removal'), async (request, reply) => {
    await turnOff(app, await confirm(request))
    request.security('second_factor', 'disabled')
    return reply.notice(text('Two-factor authentication is off')).redirect(page)
  })

  app.post(paths.renewRecoveryCodes().url, challenged('recovery_codes'), async (request, reply) => {
    const recoveryCodes = await renewRecoveryCodes(app, await confirm(request))
    return showOnce(reply, { recoveryCodes }).redirect(page)
  })
}
