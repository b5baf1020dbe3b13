import './activities.ts'
import './limits.ts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { ChallengeBody, IdParams, idPattern } from '../../plugins/forms/parameters.ts'
import { guardedFetch } from '../../plugins/http/guarded-fetch.ts'
import { text } from '../../plugins/languages/index.ts'
import type { ProviderConfig } from '../../plugins/openid/client.ts'
import { type Outcome, outcomes } from '../../plugins/openid/failures.ts'
import { leaveFor, type Policy } from '../../plugins/openid/round-trip.ts'
import { defineSecurityEvent } from '../../plugins/security/log.ts'
import { defineNotice, type NoticeIds, reviewSessions } from '../auth/notices.ts'
import {
  reauthenticateSession,
  refuseDemoUser,
  requireVerified,
  withReauthentication,
} from '../auth/reauthentication/index.ts'
import { formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import { providerClient } from './client.ts'
import { connect, disconnect, removableIdentity } from './identities.ts'
import { providersPaths } from './paths.ts'
import { clearPendingIdentity, pendingIdentityOf } from './pending-identity.ts'
import { presentIdentity } from './props.ts'
import { answerConnection, signInRoutes, sitePolicy } from './sign-in.ts'
import { signUpRoutes } from './sign-up.ts'
import { byProvider, identitiesOf, providerMethod, providerName } from './ways-in.ts'

declare module '../../plugins/security/log.ts' {
  interface SecurityEvents {
    provider: Outcome
  }
}

defineSecurityEvent('provider', [...outcomes])

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    identity_disconnected: NoticeIds
    identity_connected: NoticeIds
  }
}

type Options = {
  providers: ProviderConfig[]
  fetch?: typeof globalThis.fetch | undefined
}

export const providers: FastifyPluginAsync<Options> = async (app, options) => {
  const { fetch = guardedFetch({ allowPrivate: true }) } = options
  const factor = byProvider(app)
  const policies = options.providers.map((provider) => {
    const redirectUri = app.site.origin + providersPaths.providerCallback(provider.id).url
    return sitePolicy(providerClient(provider, { fetch, redirectUri }), factor)
  })
  app.registeredOptions.add('providers')
  app.signInMethods.add(providerMethod(app))
  const presentOf = async (userId: number) => (await identitiesOf(app.db, userId)).map(presentIdentity)
  app.exportParts.set('identities', presentOf)
  const providers = options.providers.map(({ id, name }) => ({ id, name }))
  for (const provider of providers) app.providers.add(provider)
  if (providers.length > 0)
    app.addProps('auth/sign-in', () => ({ providers })).addProps('auth/sign-up', () => ({ providers }))
  app.addProps('settings/security', async (request) => {
    const { user } = request.signedIn
    const pending = pendingIdentityOf(request, user)
    const connectable = pending && providers.find(({ id }) => id === pending.provider.id)
    return { identities: await presentOf(user.id), providers, ...(connectable && { connectable }) }
  })
  app.firstFactors.add(factor)
  defineMails(app)
  for (const policy of policies) {
    app.register(signInRoutes, { policy })
    app.register(signUpRoutes, { id: policy.label })
  }
  app.register(identityRoutes, { policies })
}

const identityRoutes: FastifyPluginAsyncTypebox<{ policies: Policy[] }> = async (app, { policies }) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url

  // Right after a sign-in as the user of this address: the pending identity proves the address, the session the user.
  app.post(providersPaths.connectPending().url, formRoute(page, 'identity_connection'), async (request, reply) => {
    refuseDemoUser(request)
    const pending = pendingIdentityOf(request, requireVerified(request.signedIn.user))
    const policy = policies.find(({ label }) => label === pending?.provider.id)
    if (!pending || !policy) return reply.redirect(page)
    const outcome = await connect(app, request.signedIn.session, pending, pending)
    return answerConnection(clearPendingIdentity(reply), policy.client(), outcome)
  })

  const starting = formRoute(page, 'identity_connection', { body: ChallengeBody })
  for (const policy of policies)
    app.post(providersPaths.connectProvider(policy.label).url, starting, async (request, reply) => {
      refuseDemoUser(request)
      requireVerified(request.signedIn.user)
      await withReauthentication(app.db, await reauthenticateSession(request), async () => {})
      return leaveFor(reply, policy, {})
    })

  const removal = formRoute(page, 'identity_removal', { params: IdParams, body: ChallengeBody })
  app.delete(`/settings/identities/${idPattern}`, removal, async (request, reply) => {
    const { user } = request.signedIn
    const { id, provider } = await removableIdentity(app, app.db, user.id, Number(request.params.id))
    await disconnect(app, await reauthenticateSession(request), id)
    request.security('provider', 'disconnected', { provider })
    return reply.notice(text('{name} is disconnected', { name: providerName(app, provider) })).redirect(page)
  })
}

const advice = [
  text(
    `If this wasn't you, someone else was signed in as you. End all other sessions, and check your connected accounts.`,
  ),
]

function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  defineNotice(app, 'identity_connected', ({ details }) => {
    const provider = String(details.provider_name)
    return {
      subject: text('{provider} was connected', { provider }),
      preheader: text('Check that it was you who connected it.'),
      paragraphs: [
        text('Anyone who can sign in to your {provider} account can now sign in to {appName} as you.', {
          provider,
          appName,
        }),
      ],
      advice,
      action: reviewSessions,
    }
  })
  defineNotice(app, 'identity_disconnected', ({ details }) => ({
    subject: text('{provider} was disconnected', { provider: String(details.provider_name) }),
    preheader: text('Check that it was you who disconnected it.'),
    paragraphs: [text('It can no longer be used to sign in to {appName} as you.', { appName })],
    advice,
    action: reviewSessions,
  }))
}
