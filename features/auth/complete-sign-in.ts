import type { FastifyInstance, FastifyReply } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { findInvitation } from '../accounts/received-invitations.ts'
import { paths } from '../paths.ts'
import { queueNotice } from './notices.ts'
import type { SignInContext } from './pending-sign-in.ts'
import type { startSession } from './sessions.ts'

type Started = Awaited<ReturnType<typeof startSession>> & {
  /** Whether the person knows this browser, if that was found out before their digest was renewed. */
  isKnown?: boolean
}

/**
 * Completes every successful sign-in, whatever its method: logs it, mails the user if the browser is new to them, sets
 * the cookies and redirects to the invitation that the sign-in began with, the requested page or the account.
 */
export async function completeSignIn(
  app: FastifyInstance,
  reply: FastifyReply,
  { user, session, slug, activityId, isKnown = reply.request.isKnownTo(user) }: Started,
  { invitation = '', returnTo = '' }: SignInContext = {},
) {
  reply.request.security('sign_in', 'right', { user: user.id })
  if (user.verified && !isKnown) {
    await app.db.transaction((tx) => queueNotice(app, tx, user, 'new_sign_in', { activityId }))
  }
  const account = slug ? paths.account(slug) : paths.newAccount()
  const invited = invitation && (await findInvitation(app, { token: invitation }))
  const destination = invited ? paths.invitation(invitation).url : returnTo || account.url
  return reply
    .setSession(session.token)
    .rememberDevice(user)
    .notice(text('Signed in successfully'))
    .redirect(destination)
}
