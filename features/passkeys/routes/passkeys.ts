import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Invalid } from '../../../plugins/forms/index.ts'
import { clientOf } from '../../../plugins/http/client.ts'
import { wrongChallenge } from '../../../plugins/security/challenges.ts'
import { budget, guessing, type LimitName } from '../../../plugins/security/limits/index.ts'
import { authOf } from '../../../plugins/security/session.ts'
import { sessionOf } from '../../auth/requests.ts'
import { paths } from '../../paths.ts'
import type { Asked, Challenges } from '../challenges.ts'
import {
  addPasskey,
  checkPasskeyName,
  defaultName,
  handleOf,
  passkeysOf,
  removePasskey,
  renamePasskey,
} from '../passkeys.ts'
import { creationOptions, type RelyingParty, verifyRegistration } from '../relying-party.ts'
import { ChallengeBody, idPattern, NameBody, PasskeyParams, RegistrationBody } from '../schemas.ts'
import { refused } from './sign-in.ts'

type Options = { party: RelyingParty; challenges: Challenges }

/** Managing one's own passkeys. */
export const passkeyRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { party, challenges }) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url
  const limitedBy = (limit: LimitName) => ({ form: page, rateLimit: budget(limit) })

  // Called by a script, not by an Inertia visit.
  const asking = { schema: { body: ChallengeBody }, config: limitedBy('passkey_options') }
  app.post(paths.passkeyOptions().url, asking, async (request, reply) => {
    const { user } = authOf(request)
    const digest = await request.challenge(request.body.password_challenge)
    if (!digest) return reply.code(422).send({ errors: { password_challenge: [wrongChallenge] } })

    const [handle, passkeys] = await Promise.all([handleOf(app.db, user.id), passkeysOf(app.db, user.id)])
    return creationOptions(party, {
      challenge: challenges.mint(asked(request)),
      user: { handle, name: user.email, displayName: user.name },
      exclude: passkeys.map(({ credentialId }) => credentialId),
    })
  })

  const adding = { schema: { body: RegistrationBody }, config: limitedBy('passkey_addition') }
  app.post(paths.addPasskey().url, adding, async (request, reply) => {
    const { response, name } = request.body
    const given = name?.trim() ? checkPasskeyName(name) : defaultName(clientOf(request).userAgent, app.now())
    const isOurs = (challenge: string) => challenges.read(asked(request), challenge)

    const session = sessionOf(request)
    const outcome = await guessing(app.db, 'challenge', session.userId, async () => {
      const registration = await verifyRegistration(party, response, isOurs)
      const outcome = registration ? await addPasskey(app, session, registration, given) : 'refused'
      return outcome === 'refused' ? undefined : outcome
    })
    if (outcome === 'full') return reply.alert('You have 20 passkeys already').redirect(page)
    request.security('passkey', outcome ? 'added' : 'wrong')
    if (!outcome) return reply.alert(refused).redirect(page)
    return reply.notice('Passkey added').redirect(page)
  })

  app.route({
    method: ['PATCH', 'PUT'],
    url: `/settings/passkeys/${idPattern}`,
    schema: { params: PasskeyParams, body: NameBody },
    config: { form: page, precognition: true },
    async handler(request, reply) {
      const name = checkPasskeyName(request.body.name ?? '')
      if (request.precognitive) return reply.valid()

      await renamePasskey(app.db, authOf(request).user.id, Number(request.params.id), name)
      return reply.notice('Passkey renamed').redirect(page)
    },
  })

  const removal = { schema: { params: PasskeyParams, body: ChallengeBody }, config: limitedBy('passkey_removal') }
  app.delete(`/settings/passkeys/${idPattern}`, removal, async (request, reply) => {
    const digest = await request.challenge(request.body.password_challenge)
    if (!digest) throw new Invalid({ password_challenge: [wrongChallenge] })

    await removePasskey(app, { ...sessionOf(request), digest }, Number(request.params.id))
    request.security('passkey', 'removed')
    return reply.notice('Passkey removed').redirect(page)
  })
}

/** The challenge must be answered in the session that requested it. */
function asked(request: FastifyRequest): Asked {
  const { userId, token } = sessionOf(request)
  return { purpose: 'registration', of: `${userId} ${token}` }
}
