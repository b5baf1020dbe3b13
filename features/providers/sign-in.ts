import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { text } from '../../plugins/languages/index.ts'
import type { ProviderClient } from '../../plugins/openid/client.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import { callbackRoute, comeBack, leaveFor, type Policy } from '../../plugins/openid/round-trip.ts'
import { clientWithDevice } from '../auth/device.ts'
import { beginSignIn, continueSignIn } from '../auth/sign-in.ts'
import { contextOfForm, formRoute, signInFields } from '../forms.ts'
import { paths } from '../paths.ts'
import { connect, recognize } from './identities.ts'
import { providersPaths } from './paths.ts'
import { setPendingIdentity } from './pending-identity.ts'
import type { byProvider } from './ways-in.ts'

/** The site's own providers: an unknown subject may sign up, or connect it in a session. */
export function sitePolicy(client: ProviderClient, factor: ReturnType<typeof byProvider>): Policy {
  const { id: provider, name } = client
  const alerts = {
    cancelled: text('You cancelled {name}', { name }),
    refused: text("{name} didn't work. Try again", { name }),
    unreachable: text("{name} can't be reached. Try again later", { name }),
  }
  return {
    label: provider,
    client: () => client,
    onward: async () => paths.home().url,

    async answer(reply, profile, { invitation, returnTo, session }) {
      const { request, server: app } = reply
      if (session) return answerConnection(reply, client, await connect(app, request.signedIn.session, profile))
      const known = await recognize(app.db, profile)
      if (!known) {
        request.security('provider', 'unknown', { provider })
        setPendingIdentity(reply, { ...profile, invitation, returnTo })
        return reply.redirect(providersPaths.providerSignUp(provider).url)
      }
      const { id, userId } = known
      request.security('provider', 'right', { user: userId, provider })
      const proof = { id, provider, email: profile.email, name: profile.name }
      const begun = await beginSignIn(app, userId, { client: clientWithDevice(request), factor, proof })
      if (!begun) throw new InvalidResponse('changed_meanwhile')
      return continueSignIn(reply, begun, { ...(invitation && { invitation }), returnTo })
    },

    refuse(reply, { outcome, reason }, { intent }) {
      reply.request.security('provider', outcome, { reason, provider })
      const back = intent.session ? paths.security() : paths.signInPage(intent.invitation, intent.returnTo)
      return reply.alert(alerts[outcome]).redirect(back.url)
    },
  }
}

export const signInRoutes: FastifyPluginAsyncTypebox<{ policy: Policy }> = async (app, { policy }) => {
  const starting = formRoute(paths.signInPage().url, 'provider_start', { body: Type.Object(signInFields) })
  app.post(
    providersPaths.startProvider(policy.label).url,
    { ...starting, onRequest: app.requireGuest },
    (request, reply) => leaveFor(reply, policy, contextOfForm(request)),
  )

  const options = { ...callbackRoute(paths.security().url), onRequest: app.loadAuth }
  app.get(providersPaths.providerCallback(policy.label).url, options, (_, reply) => comeBack(reply, policy))
}

type Connection = Awaited<ReturnType<typeof connect>>

export function answerConnection(reply: FastifyReply, { id, name }: ProviderClient, outcome: Connection) {
  if (outcome === 'connected') reply.request.security('provider', 'connected', { provider: id })
  if (outcome === 'taken') reply.alert(text('That {name} account is connected to somebody else', { name }))
  else if (outcome === 'full') reply.alert(text('You have 10 connected accounts already'))
  else if (outcome !== 'consumed') reply.notice(text('{name} is connected', { name }))
  return reply.redirect(paths.security().url)
}
