import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf } from '../../../plugins/http/client.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { pendingInvitation } from '../../accounts/received-invitations.ts'
import { presentGuestInvitation } from '../../auth/props.ts'
import { paths } from '../../paths.ts'
import { arrivalOf, forgetArrival } from '../arrivals.ts'
import type { Client } from '../clients/client.ts'
import { isKnown } from '../identities.ts'
import { clientIn, type Options } from '../requests.ts'
import { SignUpBody } from '../schemas.ts'
import { AlreadyKnown, checkNewcomer, signUpWith, standingOf } from '../sign-ups.ts'

/** Finishing a sign-up that began at a provider. */
export const signUpRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { clients, appName, invitationOnly } = options
  const { of, require } = clientIn(clients)
  app.addHook('onRequest', require)
  app.addHook('onRequest', app.requireGuest)

  app.get('/sign_in/with/:provider', async (request, reply) => {
    const { client, arrival, invitation, taken, isInvited } = await read(request)
    if (!arrival) return reply.redirect(paths.signIn().url)
    if (!isInvited && !taken) return refuseStranger(reply)
    const { email, name, proved } = arrival
    return reply.page('auth/provider', {
      ...{ provider: { id: client.id, name: client.name }, email, name, proved, taken },
      ...(invitationOnly && ({ invitation_only: true } as const)),
      ...(invitation && { invitation: presentGuestInvitation(invitation) }),
    })
  })

  const config = {
    form: (request: FastifyRequest) => paths.providerSignUp(of(request).id).url,
    precognition: true,
    rateLimit: budget('provider_sign_up', { check: 'provider_sign_up_check' }),
  } as const
  app.post('/sign_up/with/:provider', { schema: { body: SignUpBody }, config }, async (request, reply) => {
    const { client, arrival, invitation, taken, claims, isInvited } = await read(request)
    if (!arrival || taken) return reply.redirect(paths.signIn(arrival?.invitation).url)
    if (!isInvited) return refuseStranger(reply)

    const { name, email } = request.body
    const known = { ...arrival, provider: { id: client.id, name: client.name } }
    const onlyAs = invitationOnly && !claims ? invitation?.invitation.email : undefined
    const checked = await checkNewcomer(app, known, { name: name ?? '', email: email ?? '', onlyAs })
    const onlyClaims = invitationOnly && !invitation
    const newcomer = { ...checked, language: request.language.tag, onlyClaims }
    if (request.precognitive) return reply.valid()

    const signedUp = await signUpWith(app, known, newcomer, clientOf(request), invitation).catch(async (error) => {
      // In another tab, they were faster. Then their address is taken, too.
      if (error instanceof AlreadyKnown || (await isKnown(app.db, arrival))) return undefined
      throw error
    })
    if (!signedUp) return startOver(reply, client)
    const { user, account, session } = signedUp
    return forgetArrival(reply)
      .startSession(session.token)
      .rememberDevice(user)
      .notice(text('Welcome! You have signed up successfully'))
      .redirect((account ? paths.account(account.slug) : paths.newAccount()).url)
  })

  async function read(request: FastifyRequest) {
    const client = of(request)
    const arrival = arrivalOf(app, request, client.id)
    const invitation = await pendingInvitation(app, arrival?.invitation)
    const proved = arrival?.proved ? arrival.email : null
    const standing = proved ? await standingOf(app.db, proved) : 'free'
    const taken = standing === 'taken'
    const claims = standing === 'unproved'
    // Who takes the place of a user is no newcomer.
    const isInvited = !invitationOnly || invitation !== undefined || claims
    return { client, arrival, invitation, taken, claims, isInvited }
  }

  const startOver = (reply: FastifyReply, { name }: Client) =>
    forgetArrival(reply).alert(text("{name} didn't work. Try again", { name })).redirect(paths.signIn().url)

  const refuseStranger = (reply: FastifyReply) =>
    forgetArrival(reply)
      .alert(text('{appName} is invitation only. Ask an admin to invite you', { appName }))
      .redirect(paths.signIn().url)
}
