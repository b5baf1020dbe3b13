import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Invalid } from '../../../plugins/forms/index.ts'
import { ChallengeBody, OptionalText } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget, guessing, type LimitName } from '../../../plugins/security/limits/index.ts'
import { whileSignedIn } from '../../../plugins/security/while-signed-in.ts'
import { record } from '../../activity/index.ts'
import { forgetTrustedBrowsers } from '../../auth/device.ts'
import { requireVerified, secondFactorOf } from '../../auth/sign-in-methods.ts'
import { paths } from '../../paths.ts'
import { confirm } from '../../reauthentication/index.ts'
import { presentSecondFactor, presentSetup } from '../props.ts'
import { confirmSetup, renewRecoveryCodes, startSetup, turnOff, wrongCode } from '../second-factors.ts'

declare module '../../../plugins/forms/flash.ts' {
  interface FlashState {
    /** Shown once, and only to this user, even if someone else signs in with the same browser. */
    secondFactor?: { userId: number; setup?: string; recoveryCodes?: string[] }
  }
}

/** The second factor on the page of security settings, and once what was just made. */
export async function showSecondFactor(request: FastifyRequest, reply: FastifyReply, issuer: string) {
  const { user } = request.signedIn
  const { db, flashStore } = request.server
  const { userId, setup, recoveryCodes } = flashStore.read(request)?.secondFactor ?? {}
  if (userId === user.id) {
    if (setup) reply.flashNow({ setup: presentSetup(setup, { issuer, label: user.email }) })
    if (recoveryCodes) reply.flashNow({ recovery_codes: recoveryCodes })
  }
  const factor = await secondFactorOf(db, user.id)
  return factor ? presentSecondFactor(factor) : null
}

export const securityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url

  const challenged = (limit: LimitName) => ({
    schema: { body: ChallengeBody },
    config: { form: page, rateLimit: budget(limit) },
  })

  app.post(paths.startSecondFactor().url, challenged('second_factor_setup'), async (request, reply) => {
    requireVerified(request.signedIn.user)
    const confirmed = await confirm(request)
    const setup = await startSetup(app, confirmed)
    return reply.flash({ secondFactor: { userId: confirmed.userId, setup } }).redirect(page)
  })

  const confirming = {
    schema: { body: Type.Object({ code: OptionalText }) },
    config: { form: page, rateLimit: budget('second_factor_confirmation') },
  }
  app.patch(paths.confirmSecondFactor().url, confirming, async (request, reply) => {
    requireVerified(request.signedIn.user)
    const session = request.signedIn.session
    const { userId } = session
    const confirmed = await guessing(app.db, 'challenge', userId, () =>
      confirmSetup(app, session, request.body.code ?? ''),
    )
    if (!confirmed) throw new Invalid(wrongCode)
    const { recoveryCodes, token } = confirmed
    request.security('second_factor', 'enabled')
    return reply
      .setSession(token)
      .notice(text('Two-factor authentication is on'))
      .flash({ secondFactor: { userId, recoveryCodes } })
      .redirect(page)
  })

  const forgetting = { config: { form: page, rateLimit: budget('profile_change') } }
  app.delete(paths.forgetTrustedBrowsers().url, forgetting, async (request, reply) => {
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
    const confirmed = await confirm(request)
    const recoveryCodes = await renewRecoveryCodes(app, confirmed)
    return reply.flash({ secondFactor: { userId: confirmed.userId, recoveryCodes } }).redirect(page)
  })
}
