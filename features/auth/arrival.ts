import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Way } from '../../plugins/security/proofs.ts'
import { invitationWith } from '../accounts/invitations.ts'
import { paths } from '../paths.ts'

type Started = {
  user: { id: number; passwordDigest: string; verified: boolean }
  session: { token: string }
  slug: string | null
  activityId: number
}

/**
 * The end of every successful sign-in, whatever the proof: logs it, mails the user if the browser is new to them, sets
 * the cookies and redirects to the carried invitation, the requested page or the account.
 */
export async function arrive(
  app: Pick<FastifyInstance, 'db' | 'mail' | 'now'>,
  reply: FastifyReply,
  { user, session, slug, activityId }: Started,
  { invitation = '', returnTo = '' }: Way = {},
) {
  reply.request.security('sign_in', 'right', { user: user.id })
  const isKnown = reply.request.device()?.people.some(({ userId }) => userId === user.id)
  if (user.verified && !isKnown) await app.db.transaction((tx) => app.mail.queue(tx, 'new_sign_in', { activityId }))
  const account = slug ? paths.account(slug) : paths.newAccount()
  const carried = (await invitationWith(app, invitation)) ? paths.invitation(invitation).url : undefined
  const destination = carried || returnTo || account.url
  return reply.startSession(session.token).rememberDevice(user).notice('Signed in successfully').redirect(destination)
}
