import type { FastifyPluginAsync } from 'fastify'
import { on } from '../../plugins/domain-events.ts'
import { text } from '../../plugins/languages/index.ts'
import { defineMails } from './mails.ts'
import { endPendingSignIns } from './pending.ts'
import { securityRoutes, showSecondFactor } from './routes/security.ts'
import { byCode, signInStep } from './routes/sign-in.ts'
import { removeSecondFactor, secondFactorOf } from './second-factors.ts'

/** Two-factor authentication: codes from an authenticator app, and recovery codes in case it is lost. */
export const secondFactor: FastifyPluginAsync<{ appName: string }> = async (app, { appName }) => {
  defineMails(app, { appName })

  on('sign_in_method_removed', endPendingSignIns)
  app.signInMethods.add({
    remove: (tx, user, before) => removeSecondFactor(app, tx, user, before),
    async left(db, userId) {
      const factor = await secondFactorOf(db, userId)
      return factor ? [text('your authenticator app'), recoveryCodes(factor.codesLeft)] : []
    },
    present: (request, reply) => showSecondFactor(request, reply, appName),
    factor: byCode(app),
    signInStep: signInStep(app),
  })
  app.register(securityRoutes)
}

function recoveryCodes(left: number) {
  if (left === 0) return text('no recovery codes')
  return left === 1 ? text('one recovery code') : text('{count} recovery codes', { count: left })
}
