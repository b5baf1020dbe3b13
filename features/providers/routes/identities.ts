import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Refused } from '../../../plugins/forms/index.ts'
import { ChallengeBody, IdParams, idPattern } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { providerName, requireVerified } from '../../auth/sign-in-methods.ts'
import { formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import { confirm, whileConfirmed } from '../../reauthentication/index.ts'
import { clearPendingIdentity, markOf, pendingIdentityOf } from '../cookies.ts'
import { connect, disconnect, removableIdentity } from '../identities.ts'
import { answerConnection, type Clients, clientIn, redirectToProvider } from './sign-in.ts'

type Options = { clients: Clients; demoEmail?: string | undefined }

export const identityRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { clients, demoEmail }) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url

  /** Everyone knows the demo user's password, and could connect an account to keep access for good. */
  const refuseDemoUser = (request: FastifyRequest) => {
    const { user } = request.signedIn
    if (user.email === demoEmail) throw new Refused(text('The demo user connects nothing'))
    return requireVerified(user)
  }

  // Right after a sign-in as the user of this address: the pending identity proves the address, the session the user.
  app.post(paths.connectPending().url, formRoute(page, 'identity_connection'), async (request, reply) => {
    const pending = pendingIdentityOf(request, refuseDemoUser(request))
    const client = clients.get(pending?.provider ?? '')
    if (!pending || !client) return reply.redirect(page)
    const outcome = await connect(app, request.signedIn.session, { ...pending, provider: client }, pending)
    if (outcome === 'connected') request.security('provider', 'connected', { provider: client.id })
    return answerConnection(clearPendingIdentity(reply), client, outcome)
  })

  const { of, require } = clientIn(clients)
  const starting = { ...formRoute(page, 'identity_connection', { body: ChallengeBody }), onRequest: require }
  app.post('/settings/identities/:provider', starting, async (request, reply) => {
    refuseDemoUser(request)
    const confirmed = await confirm(request)
    await whileConfirmed(app.db, confirmed, async () => {})
    return redirectToProvider(reply, of(request), { session: markOf(confirmed.token) })
  })

  const removal = formRoute(page, 'identity_removal', { params: IdParams, body: ChallengeBody })
  app.delete(`/settings/identities/${idPattern}`, removal, async (request, reply) => {
    const { user } = request.signedIn
    const { id, provider } = await removableIdentity(app, app.db, user.id, Number(request.params.id))
    await disconnect(app, await confirm(request), id)
    request.security('provider', 'disconnected', { provider })
    return reply.notice(text('{name} is disconnected', { name: providerName(app, provider) })).redirect(page)
  })
}
