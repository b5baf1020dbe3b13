import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { OptionalText } from '../../plugins/forms/parameters.ts'
import { clientOf } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import { budget } from '../../plugins/security/limits/index.ts'
import { pendingInvitation } from '../accounts/received-invitations.ts'
import { availabilityOf } from '../auth/addresses.ts'
import { presentGuestInvitation } from '../auth/props.ts'
import { completeSignUp, refuseUninvited } from '../auth/sign-up.ts'
import { checkedRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import { checkNewUser, signUpWith } from './identities.ts'
import { providersPaths } from './paths.ts'
import { clearPendingIdentity, readPendingIdentity } from './pending-identity.ts'

export const signUpRoutes: FastifyPluginAsyncTypebox<{ id: string }> = async (app, { id }) => {
  const { invitationOnly } = app.site
  app.addHook('onRequest', app.requireGuest)

  const page = providersPaths.providerSignUp(id).url
  app.get(page, async (request, reply) => {
    const { pending, invitation, availability, isInvited } = await read(request)
    if (!pending) return reply.redirect(paths.signInPage().url)
    const taken = availability === 'taken'
    if (!isInvited && !taken) return refuseUninvited(clearPendingIdentity(reply))
    const { provider, email, name, proved } = pending
    return reply.page('auth/provider', {
      ...{ provider, email, name, proved, taken },
      ...(invitationOnly && ({ invitation_only: true } as const)),
      ...(invitation && { invitation: presentGuestInvitation(invitation) }),
    })
  })

  const limit = budget('provider_sign_up', { check: 'provider_sign_up_check' })
  const body = Type.Object({ name: OptionalText, email: OptionalText })
  app.post(providersPaths.createProviderUser(id).url, checkedRoute(page, limit, { body }), async (request, reply) => {
    const { pending, invitation, availability, isInvited } = await read(request)
    if (!pending || availability === 'taken') return reply.redirect(paths.signInPage(pending?.invitation).url)
    if (!isInvited) return refuseUninvited(clearPendingIdentity(reply))

    const { name, email } = request.body
    const invitedEmail = invitationOnly && availability !== 'replaceable' ? invitation?.invitation.email : undefined
    const checked = await checkNewUser(app.db, pending, { name: name ?? '', email: email ?? '', invitedEmail })
    const onlyIfReplacing = invitationOnly && !invitation
    const newUser = { ...checked, language: request.language.tag, onlyIfReplacing }
    if (request.precognitive) return reply.valid()

    const signedUp = await signUpWith(app, pending, newUser, clientOf(request), invitation)
    if (!signedUp) {
      const alert = text("{name} didn't work. Try again", { name: pending.provider.name })
      return clearPendingIdentity(reply).alert(alert).redirect(paths.signInPage().url)
    }
    return completeSignUp(clearPendingIdentity(reply), signedUp, pending.returnTo)
  })

  async function read(request: FastifyRequest) {
    const pending = readPendingIdentity(request, id)
    const invitation = pending?.invitation ? await pendingInvitation(app, pending.invitation) : undefined
    const availability = pending?.proved && pending.email ? await availabilityOf(app.db, pending.email) : 'free'
    // Taking the place of an unverified user needs no invitation.
    const isInvited = !invitationOnly || invitation !== undefined || availability === 'replaceable'
    return { pending, invitation, availability, isInvited }
  }
}
