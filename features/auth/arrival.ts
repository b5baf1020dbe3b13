import type { FastifyInstance, FastifyReply } from 'fastify'
import { invitationWith } from '../accounts/invitations.ts'
import { paths } from '../paths.ts'

type Started = { session: { token: string }; slug: string | null }

/** What every right sign-in ends in, whatever proved it: the cookie, the notice, and the way to the account or to the invitation that was carried. */
export async function arrive(
  app: Pick<FastifyInstance, 'db' | 'now'>,
  reply: FastifyReply,
  { session, slug }: Started,
  invitation = '',
) {
  const account = slug ? paths.account(slug) : paths.newAccount()
  const destination = (await invitationWith(app, invitation)) ? paths.invitation(invitation) : account
  return reply.startSession(session.token).notice('Signed in successfully').redirect(destination.url)
}
