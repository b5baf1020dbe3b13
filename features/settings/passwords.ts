import { eq, ne } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions, users } from '../../drizzle/schema.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { record } from '../activity/index.ts'
import { queueNotice } from '../auth/notices.ts'
import { deleteSessions, renewToken } from '../auth/sessions.ts'
import { forgetTrustedBrowsers } from '../auth/trusted-browsers.ts'
import { lockUser, type Reauthentication, type Session } from '../reauthentication/index.ts'

type Change = { password?: string | null | undefined; reauthentication: Reauthentication }

/**
 * Sets the password, ends all other sessions, notifies the user by mail and gives this session a new token, since the
 * old one may have been copied. Undefined without a new password. Throws SignedOut, or Invalid if the reauthentication
 * is void by now.
 */
export async function changePassword(app: FastifyInstance, session: Session, { password, reauthentication }: Change) {
  const { userId } = session
  const passwordDigest = password && (await digestOf(password))
  return app.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId, reauthentication)
    if (!passwordDigest) return undefined
    const [activityId] = await Promise.all([
      record(tx, 'password_changed', { userId }),
      tx.update(users).set({ passwordDigest }).where(eq(users.id, userId)),
    ])
    await queueNotice(app, tx, user, 'password_changed', { userId, activityId })
    const token = await renewToken(tx, session)
    await deleteSessions(tx, userId, ne(sessions.token, token))
    await forgetTrustedBrowsers(tx, userId)
    return { user: { id: userId, passwordDigest }, token }
  })
}
