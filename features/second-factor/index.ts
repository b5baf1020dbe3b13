import { trustedBrowsers } from '../../drizzle/tables/second-factor.ts'
import './activities.ts'
import './limits.ts'
import { lt } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { defineLists } from '../../plugins/composition.ts'
import { optional } from '../../plugins/inertia/index.ts'
import { may, memberOf } from '../accounts/index.ts'
import { readFlashedSecret } from '../flashed-secrets.ts'
import { defineMails } from './mails.ts'
import { presentSecondFactor, presentSetup } from './props.ts'
import { membersWithoutFactor, readRequirement } from './requiring.ts'
import { settingsRoutes } from './routes.ts'
import { stepByCode } from './step.ts'
import { countTrustedBrowsers } from './trusted-browsers.ts'
import {
  accountsAskingForFactor,
  appProof,
  secondFactorMethod,
  secondFactorOf,
  secondFactorRequirements,
  trustEnding,
} from './ways-in.ts'

/** Two-factor authentication: codes from an authenticator app, and recovery codes in case it is lost. */
export const secondFactor = fp(
  async (app) => {
    app.registeredOptions.add('second-factor')
    defineLists(app, 'trustRefusals')
    app.secondSteps.add(stepByCode(app))
    app.signInMethods.add(secondFactorMethod(app))
    app.endings.add(trustEnding)
    app.addProps('settings/security', async (request, reply) => ({
      second_factor: await showSecondFactor(request, reply),
      trusted_browsers: await countTrustedBrowsers(app.db, request.signedIn.user.id, app.now()),
      required_by: await accountsAskingForFactor(app, request.signedIn.user.id),
    }))
    app.addProps('accounts/show', async ({ signedIn: { user, session } }) => {
      const factor = session.secondFactor === 'recovery_code' ? await secondFactorOf(app.db, user.id) : undefined
      return factor ? { recovery_codes_left: factor.codesLeft } : {}
    })
    app.accountSettings.add(readRequirement)
    app.addProps('accounts/settings', (request) => {
      const { account, role } = memberOf(request)
      return {
        ...(may(role, 'requirements.manage') && {
          require_second_factor: account.requireSecondFactor,
          without_factor: optional(() => membersWithoutFactor(app, account.id)),
        }),
      }
    })
    defineMails(app)
    app.sweeper.add({ table: trustedBrowsers, isExpired: () => lt(trustedBrowsers.expiresAt, app.now()) })
    app.strongProofs.add(appProof)
    for (const requirement of secondFactorRequirements(app)) app.requirements.add(requirement)
    app.register(settingsRoutes)
  },
  { name: 'second-factor' },
)

/** The second factor on the page of security settings, and once what was just made. */
async function showSecondFactor(request: FastifyRequest, reply: FastifyReply) {
  const { user } = request.signedIn
  const { db, site } = request.server
  const { setup, recoveryCodes } = readFlashedSecret(request)
  if (setup) reply.flashNow({ setup: presentSetup(setup, { issuer: site.appName, label: user.email }) })
  if (recoveryCodes) reply.flashNow({ recovery_codes: recoveryCodes })
  const factor = await secondFactorOf(db, user.id)
  return factor ? presentSecondFactor(factor) : null
}
