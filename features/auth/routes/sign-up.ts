import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf } from '../../../plugins/client.ts'
import { budget, threeMinutes } from '../../../plugins/rate-limit.ts'
import { paths } from '../../paths.ts'
import { fieldsOf, requireFields, SignUpBody } from '../schemas.ts'
import { checkNewUser, signUp } from '../users.ts'

type Options = { appName: string; invitationOnly: boolean }

const fields = ['name', 'email', 'password', 'password_confirmation'] as const

export const signUpRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { appName, invitationOnly }) => {
  app.addHook('onRequest', app.requireGuest)
  if (invitationOnly) app.addHook('onRequest', refuseStrangers)

  app.get(paths.signUp().url, (_request, reply) => reply.page('auth/sign-up', {}))

  const config = { form: paths.signUp().url, precognition: true, rateLimit: signUpBudget } as const
  app.post(paths.createUser().url, { schema: { body: SignUpBody }, config }, async (request, reply) => {
    const { name, email, password, password_confirmation } = request.precognitive
      ? fieldsOf(request.body, fields)
      : requireFields(request.body, fields)
    const newUser = await checkNewUser(app.db, { name, email, password, passwordConfirmation: password_confirmation })
    if (request.precognitive) return reply.valid()

    const { account, session } = await signUp(app, newUser, clientOf(request))
    return reply
      .startSession(session.token)
      .notice('Welcome! You have signed up successfully')
      .redirect(paths.account(account.slug).url)
  })

  async function refuseStrangers(_request: FastifyRequest, reply: FastifyReply) {
    const refusal = `${appName} is invitation only. Ask an admin to invite you`
    return reply.alert(refusal).redirect(paths.signIn().url)
  }
}

// Checks while typing are generous, but counted: they can be used to probe for addresses.
const signUps = budget('sign_up')
const checks = budget('sign_up_validation', { max: 60 })
const signUpBudget = {
  timeWindow: threeMinutes,
  max: (request: FastifyRequest) => (request.precognitive ? checks.max : signUps.max),
  keyGenerator: (request: FastifyRequest) => (request.precognitive ? checks : signUps).keyGenerator(request),
}
