import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { saidTo } from '../../../plugins/forms/flash.ts'
import { Invalid, Refused } from '../../../plugins/forms/index.ts'
import { ChallengeBody, idPattern } from '../../../plugins/forms/parameters.ts'
import { clientOf } from '../../../plugins/http/client.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget, guessing, type LimitName } from '../../../plugins/security/limits/index.ts'
import { authOf } from '../../../plugins/security/session.ts'
import { sessionOf } from '../../auth/requests.ts'
import { requireVerified } from '../../auth/verification.ts'
import { paths } from '../../paths.ts'
import type { ChallengeScope, Challenges } from '../challenges.ts'
import {
  addPasskey,
  checkPasskeyName,
  defaultName,
  maxNameLength,
  passkeysOf,
  prepareRegistration,
  removePasskey,
  renamePasskey,
} from '../passkeys.ts'
import { reauthenticationScope } from '../reauthentication.ts'
import { creationOptions, type RelyingParty, requestOptions, verifyRegistration } from '../relying-party.ts'
import { NameBody, PasskeyParams, RegistrationBody } from '../schemas.ts'
import { refused } from './sign-in.ts'

type Options = { party: RelyingParty; challenges: Challenges }

/** Managing one's own passkeys. */
export const passkeyRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { party, challenges }) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url
  const limitedBy = (limit: LimitName) => ({ form: page, rateLimit: budget(limit) })

  // Called by scripts, not by Inertia visits, as the next route is.
  const answerJson = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof Refused) return reply.code(422).send({ message: request.say(error.reason) })
    if (!(error instanceof Invalid)) throw error
    return reply.code(422).send({ errors: saidTo(request, error.errors) })
  }
  const asking = { schema: { body: ChallengeBody }, config: limitedBy('passkey_options'), errorHandler: answerJson }
  app.post(paths.passkeyOptions().url, asking, async (request) => {
    const { user } = authOf(request)
    requireVerified(user)
    const reauthentication = await request.reauthenticate()

    const { handle, passkeys } = await prepareRegistration(app.db, { ...sessionOf(request), reauthentication })
    return creationOptions(party, {
      challenge: challenges.mint(registrationScope(request)),
      user: { handle, name: user.email, displayName: user.name },
      exclude: passkeys.map(({ credentialId }) => credentialId),
    })
  })

  app.post(paths.passkeyChallenge().url, async (request) => {
    const { id } = authOf(request).user
    const own = await passkeysOf(app.db, id)
    const credentialIds = own.map(({ credentialId }) => credentialId)
    return requestOptions(party, challenges.mint(reauthenticationScope(id)), credentialIds)
  })

  const adding = { schema: { body: RegistrationBody }, config: limitedBy('passkey_addition') }
  app.post(paths.addPasskey().url, adding, async (request, reply) => {
    requireVerified(authOf(request).user)
    const { response, name } = request.body
    const given = name?.trim() ? checkPasskeyName(name) : nameFor(request)
    const isOurs = (challenge: string) => challenges.read(registrationScope(request), challenge)

    const session = sessionOf(request)
    const outcome = await guessing(app.db, 'challenge', session.userId, async () => {
      const registration = await verifyRegistration(party, response, isOurs)
      const outcome = registration ? await addPasskey(app, session, registration, given) : 'refused'
      return outcome === 'refused' ? undefined : outcome
    })
    if (outcome === 'full') return reply.alert(text('You have 20 passkeys already')).redirect(page)
    request.security('passkey', outcome ? 'added' : 'wrong')
    if (!outcome) return reply.alert(refused).redirect(page)
    return reply.notice(text('Passkey added')).redirect(page)
  })

  app.route({
    method: ['PATCH', 'PUT'],
    url: `/settings/passkeys/${idPattern}`,
    schema: { params: PasskeyParams, body: NameBody },
    config: { form: page, precognition: true, rateLimit: budget('profile_change', { check: 'uncounted' }) },
    async handler(request, reply) {
      const name = checkPasskeyName(request.body.name ?? '')
      if (request.precognitive) return reply.valid()

      await renamePasskey(app.db, sessionOf(request), Number(request.params.id), name)
      return reply.notice(text('Passkey renamed')).redirect(page)
    },
  })

  const removal = { schema: { params: PasskeyParams, body: ChallengeBody }, config: limitedBy('passkey_removal') }
  app.delete(`/settings/passkeys/${idPattern}`, removal, async (request, reply) => {
    const id = Number(request.params.id)
    await app.waysIn.requireAnother(app.db, authOf(request).user.id) // before a passkey is asked for in vain
    const reauthentication = await request.reauthenticate()

    await removePasskey(app, { ...sessionOf(request), reauthentication }, id)
    request.security('passkey', 'removed')
    return reply.notice(text('Passkey removed')).redirect(page)
  })
}

/** In the language of whoever adds it, and without the signs that isolate a name in a sentence. */
const nameFor = (request: FastifyRequest) =>
  request
    .say(defaultName(clientOf(request).userAgent, request.server.now()))
    .replace(/[\u2068\u2069]/g, '')
    .slice(0, maxNameLength)

/** The challenge must be answered in the session that requested it. */
function registrationScope(request: FastifyRequest): ChallengeScope {
  const { userId, token } = sessionOf(request)
  return { purpose: 'registration', of: `${userId} ${token}` }
}
