import type { FastifyInstance, FastifyReply } from 'fastify'
import { invitationWith } from '../accounts/invitations.ts'
import { paths } from '../paths.ts'

type Started = { userId: number; session: { token: string }; slug: string | null }

/** What every right sign-in ends in, whatever proved it: the line in the log, the cookie, the notice, and the way to the account or to the invitation that was carried. */
export async function arrive(
  app: Pick<FastifyInstance, 'db' | 'now'>,
  reply: FastifyReply,
  { userId, session, slug }: Started,
  invitation = '',
) {
  reply.request.security('sign_in', 'right', { user: userId })
  const account = slug ? paths.account(slug) : paths.newAccount()
  const destination = (await invitationWith(app, invitation)) ? paths.invitation(invitation) : account
  return reply.startSession(session.token).notice('Signed in successfully').redirect(destination.url)
}
