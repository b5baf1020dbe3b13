import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Refused } from '../../../plugins/forms/index.ts'
import { ChallengeBody } from '../../../plugins/forms/parameters.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { lockUser } from '../../../plugins/security/reauthentication.ts'
import { authOf } from '../../../plugins/security/session.ts'
import { whileSignedIn } from '../../../plugins/security/while-signed-in.ts'
import { sessionOf } from '../../auth/requests.ts'
import { requireVerified } from '../../auth/verification.ts'
import { paths } from '../../paths.ts'
import { arrivalOf, forgetArrival } from '../arrivals.ts'
import { OutOfReach, Untrusted } from '../clients/failures.ts'
import { isConnectable, requireLater } from '../connectable.ts'
import { connect, disconnect, identityOf, isOffered } from '../identities.ts'
import { clientIn, type Options } from '../requests.ts'
import { IdentityParams } from '../schemas.ts'
import { markOf, rememberStart } from '../starts.ts'
import { sayConnected } from './sign-in.ts'

type Managing = Options & { nameOf(provider: string): string; demoEmail: string | undefined }

/** Connecting providers to oneself, and disconnecting them. */
export const identityRoutes: FastifyPluginAsyncTypebox<Managing> = async (app, { clients, nameOf, demoEmail }) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url
  const limited = { form: page, rateLimit: budget('identity_connection') }

  /** Everybody knows the demo user's password, and could keep a way in for good. */
  const requireOwner = (request: FastifyRequest) => {
    const { user } = authOf(request)
    if (user.email === demoEmail) throw new Refused(text('The demo user connects nothing'))
    return requireVerified(user)
  }

  // Right after a sign-in as the user of this address: the arrival proves the address, the session the rest.
  app.post(paths.connectArrival().url, { config: limited }, async (request, reply) => {
    const user = requireOwner(request)
    const arrival = arrivalOf(app, request)
    const client = clients.get(arrival?.provider ?? '')
    if (!arrival || !client || !isConnectable(arrival, user)) return reply.redirect(page)

    const session = sessionOf(request)
    const known = { ...arrival, provider: client }
    const outcome = await connect(app, session, known, (tx) => requireLater(tx, session, arrival))
    if (outcome === 'connected') request.security('provider', 'connected', { provider: client.id })
    return sayConnected(forgetArrival(reply), client, outcome)
  })

  const { of, require } = clientIn(clients)
  const starting = { onRequest: require, schema: { body: ChallengeBody }, config: limited }
  app.post('/settings/identities/:provider', starting, async (request, reply) => {
    const client = of(request)
    requireOwner(request)
    const reauthentication = await request.reauthenticate()

    const { userId, token } = sessionOf(request)
    await whileSignedIn(app.db, token, (tx) => lockUser(tx, userId, reauthentication))
    try {
      const secrets = rememberStart(app, reply, client.id, { session: markOf(token) })
      return reply.external(String(await client.begin(secrets)))
    } catch (error) {
      if (!(error instanceof OutOfReach || error instanceof Untrusted)) throw error
      request.security('provider', error instanceof OutOfReach ? 'unreachable' : 'refused', { provider: client.id })
      const { name } = client
      const said =
        error instanceof OutOfReach
          ? text("{name} can't be reached. Try again later", { name })
          : text("{name} didn't work. Try again", { name })
      return reply.alert(said).redirect(page)
    }
  })

  const removal = {
    schema: { params: IdentityParams, body: ChallengeBody },
    config: { form: page, rateLimit: budget('identity_removal') },
  }
  app.delete('/settings/identities/:id', removal, async (request, reply) => {
    if (!/^\d{1,15}$/.test(request.params.id)) throw new NotFound()
    const { userId, token } = sessionOf(request)
    const { id, provider } = await identityOf(app.db, userId, Number(request.params.id))
    await app.waysIn.requireAnother(app.db, userId, isOffered(app.waysIn, provider))
    const reauthentication = await request.reauthenticate()

    await disconnect(app, { userId, token, reauthentication }, id, nameOf)
    request.security('provider', 'disconnected', { provider })
    return reply.notice(text('{name} is disconnected', { name: nameOf(provider) })).redirect(page)
  })
}
