import './activities.ts'
import './limits.ts'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { picturePath } from '../../plugins/composition.ts'
import { text } from '../../plugins/languages/index.ts'
import {
  AccountParams,
  accountRoute,
  actorOf,
  belowAccount,
  changeBudget,
  formAt,
  memberOf,
} from '../accounts/index.ts'
import { may } from '../accounts/rights.ts'
import { sendVoidInvitation, welcome } from '../accounts/routes/received-invitations.ts'
import { flashSecret, readFlashedSecret } from '../flashed-secrets.ts'
import { formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import {
  createInvitationLink,
  findInvitationLink,
  invitationLinkOf,
  joinByLink,
  linkEnding,
  removeInvitationLink,
} from './invitation-links.ts'
import { invitationLinkPaths } from './paths.ts'
import { presentInvitationLink } from './props.ts'

declare module '../flashed-secrets.ts' {
  interface Secrets {
    invitationToken?: string
  }
}

/** A link with which up to a hundred people join a workspace, for a week. */
export const invitationLink: FastifyPluginAsync = async (app) => {
  app.registeredOptions.add('invitation-link')
  app.endings.add(linkEnding)
  app.beginnings.add({ leadsTo: (path) => path.startsWith(invitationLinkPaths.join('').url) })
  app.addProps('accounts/members', (request, reply) => {
    const { account, role } = memberOf(request)
    if (app.flashStore.read(request)?.ended?.includes('invitation-link'))
      reply.flashNow({ invitation_link_ended: true })
    const { invitationToken } = readFlashedSecret(request)
    if (invitationToken)
      reply.flashNow({ invitation_link: app.site.origin + invitationLinkPaths.join(invitationToken).url })
    const present = async () => presentInvitationLink(await invitationLinkOf(app.db, account.id))
    return { ...(may(role, 'members.invite') && { invitation_link: present }) }
  })
  app.register(joinRoutes)
  app.register(async (account) => {
    belowAccount(account)
    account.register(linkRoutes)
  })
}

const linkRoutes: FastifyPluginAsync = async (app) => {
  const form = formAt(paths.members)
  const url = `${accountRoute}/invitation_link`
  const route = formRoute(form, changeBudget, { params: AccountParams })
  app.post(url, route, async (request, reply) => {
    const token = await createInvitationLink(app, actorOf(request))
    return flashSecret(reply, { invitationToken: token })
      .notice(text('Invitation link created'))
      .redirect(form(request))
  })

  app.delete(url, route, async (request, reply) => {
    await removeInvitationLink(app, actorOf(request))
    return reply.notice(text('Invitation link removed')).redirect(form(request))
  })
}

type Joining = FastifyRequest<{ Params: { token: string } }>

const joinRoutes: FastifyPluginAsync = async (app) => {
  const showing = { onRequest: app.loadAuth, config: { noindex: true, forEveryone: true } } as const
  app.get('/join/:token', showing, async (request: Joining, reply) => {
    const received = await findInvitationLink(app, request.params.token)
    if (!received) return sendVoidInvitation(request, reply)
    return reply.page('invitations/join', {
      account_name: received.account.name,
      account_picture: picturePath(received.account.picture),
      inviter_name: received.inviterName,
      signed_in_as: request.auth?.user.email ?? null,
      expired: received.expired,
      ...(app.site.invitationOnly && ({ invitation_only: true } as const)),
    })
  })

  const form = (request: FastifyRequest) => invitationLinkPaths.join((request as Joining).params.token).url
  const joining = { ...formRoute(form, 'join'), onRequest: app.requireUser }
  app.post('/join/:token', joining, async (request: Joining, reply) => {
    const { account, joined } = await joinByLink(app, request.signedIn.session, request.params.token)
    return joined ? welcome(reply, account) : reply.redirect(paths.account(account.slug).url)
  })
}
