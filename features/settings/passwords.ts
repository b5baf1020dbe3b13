import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import { lockUser, type Reauthentication } from '../../plugins/security/reauthentication.ts'
import { record } from '../activity/index.ts'
import { queueNotice } from '../auth/notices.ts'
import { confirmationMessages, passwordMessages } from '../auth/password-rules.ts'
import type { Session } from '../auth/requests.ts'
import { renewSession } from '../auth/sessions.ts'

/** For people without a password: a mail to their address sets one, as it replaces a forgotten one. */
export const mailPasswordLink = ({ db, mail }: Pick<FastifyInstance, 'db' | 'mail'>, { email }: { email: string }) =>
  db.transaction(async (tx) => {
    if (await tryTakeMail(tx, 'reset_mail', email)) await mail.queue(tx, 'password_reset', { email })
  })

type Input = { password?: string | null; password_confirmation?: string | null }
type App = Pick<FastifyInstance, 'isTooCommon'>
type Change = { password: string | undefined; reauthentication: Reauthentication }

/** The new password, and what is wrong with it. Null, missing or empty means no change. */
export function checkNewPassword(app: App, user: { name: string; email: string }, input: Input) {
  const password = input.password || undefined
  const errors = {
    password: password ? passwordMessages(app, password, user) : [],
    password_confirmation: password ? confirmationMessages(password, input.password_confirmation ?? '') : [],
  }
  return { password, errors }
}

/**
 * Sets the password, ends all other sessions, notifies the user by mail and gives this session a new token, since the
 * old one may have been copied. Undefined without a new password. Throws SignedOut, or Invalid if the reauthentication
 * is void by now.
 */
export async function changePassword(
  app: Pick<FastifyInstance, 'db' | 'mail'>,
  { userId, token }: Session,
  { password, reauthentication }: Change,
) {
  const passwordDigest = password && (await digestOf(password))
  return app.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId, reauthentication)
    if (!passwordDigest) return undefined
    const [activityId] = await Promise.all([
      record(tx, 'password_changed', { userId }),
      tx.update(users).set({ passwordDigest }).where(eq(users.id, userId)),
    ])
    await queueNotice(app, tx, user, 'password_changed', { userId, activityId })
    const session = await renewSession(tx, userId, token)
    return { user: { id: userId, passwordDigest }, session }
  })
}
