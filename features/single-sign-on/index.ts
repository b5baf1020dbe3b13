import './activities.ts'
import './limits.ts'
import './rights.ts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import { ChallengeBody, IdParams, idPattern } from '../../plugins/forms/parameters.ts'
import { guardedFetch } from '../../plugins/http/guarded-fetch.ts'
import { text } from '../../plugins/languages/index.ts'
import { type Outcome, outcomes } from '../../plugins/openid/failures.ts'
import { defineSecurityEvent } from '../../plugins/security/log.ts'
import type { OptionConfig } from '../../plugins/settings.ts'
import { reauthenticateSession } from '../auth/reauthentication/index.ts'
import { formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import { defineLooks } from './domain-looks.ts'
import { bySingleSignOn } from './factor.ts'
import { disconnect } from './identities.ts'
import { defineMails } from './mails.ts'
import { keepOpenFactor, wantsAnotherFactor } from './owner.ts'
import { passProof } from './passes.ts'
import { presentSsoIdentity } from './props.ts'
import { singleSignOnEnding } from './removal.ts'
import { defineMemory } from './removed-members.ts'
import { singleSignOnBeginning, singleSignOnRequirement } from './requirement.ts'
import { setupLinkEnding } from './setup/links.ts'
import { setupRoutes } from './setup/routes.ts'
import { signInRoutes } from './sign-in.ts'
import { singleSignOnMethod, ssoIdentitiesOf } from './ways-in.ts'
import { helpOfOperators } from './with-operators/index.ts'
import { workspaceRoutes } from './workspace.ts'

declare module 'fastify' {
  interface Site {
    /** Missing while it is off. */
    singleSignOn?: NonNullable<Options['settings']>
  }
}

declare module '../../plugins/security/log.ts' {
  interface SecurityEvents {
    sso: Outcome | 'started' | 'signed_up'
  }
}

defineSecurityEvent('sso', [...outcomes, 'started', 'signed_up'])

type Options = { settings: OptionConfig['singleSignOn'] }

/** Workspaces prove their domains and connect their own OpenID provider, which lets their people in. */
export const singleSignOn: FastifyPluginAsync<Options> = async (app, { settings }) => {
  if (!settings) return
  app.site.singleSignOn = settings
  const allowPrivate = settings.allowPrivateIssuers
  const provided = { fetch: guardedFetch({ allowPrivate }), allowPrivate }
  app.registeredOptions.add('single-sign-on')
  app.strongProofs.add(passProof(app))
  app.requirements.add(singleSignOnRequirement(app))
  app.beginnings.add(singleSignOnBeginning(app))
  app.endings.add(singleSignOnEnding(app))
  app.endings.add(setupLinkEnding)
  app.signInMethods.add(singleSignOnMethod(app))
  const presentOf = async (userId: number) => (await ssoIdentitiesOf(app.db, [userId])).map(presentSsoIdentity)
  app.exportParts.set('sso', presentOf)
  app.addProps('settings/security', async ({ signedIn }) => ({ sso: await presentOf(signedIn.user.id) }))
  app.firstFactors.add(bySingleSignOn(app))
  app.factorRules.add({
    wantsAnother: (session) => wantsAnotherFactor(app, session),
    settingUp: (tx, session, setUpAt) => keepOpenFactor(app, tx, session, setUpAt),
  })
  app.addProps('auth/sign-in', () => ({ sso: true as const }))
  defineMails(app)
  defineLooks(app)
  defineMemory(app)
  app.register(signInRoutes, provided)
  app.register(workspaceRoutes, provided)
  app.register(setupRoutes, provided)
  app.register(settingsRoutes)
  app.register(helpOfOperators)
}

const settingsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url
  const removal = formRoute(page, 'sso_removal', { params: IdParams, body: ChallengeBody })
  app.delete(`/settings/sso/${idPattern}`, removal, async (request, reply) => {
    await disconnect(app, await reauthenticateSession(request), Number(request.params.id))
    request.security('sso', 'disconnected')
    return reply.notice(text('Single sign-on is disconnected')).redirect(page)
  })
}
