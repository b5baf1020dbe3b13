import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import { holdUser, wrongChallenge } from '../../plugins/security/challenges.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { record } from '../activity/index.ts'
import { confirmationMessages, passwordMessages } from '../auth/password-rules.ts'
import type { Session } from '../auth/requests.ts'
import { renewSession } from '../auth/sessions.ts'

type Input = { password?: string | null; password_confirmation?: string | null; digest: string | undefined }
type App = Pick<FastifyInstance, 'isTooCommon'>
type Change = { password: string | undefined; digest: string }

/** Validates the new password. Null, missing or empty means no change. Throws Invalid. */
export function checkPasswordChange(
  app: App,
  user: { name: string; email: string },
  { digest, ...input }: Input,
): Change {
  const password = input.password || undefined
  assertValid({
    password: password ? passwordMessages(app, password, user) : [],
    password_confirmation: password ? confirmationMessages(password, input.password_confirmation ?? '') : [],
    password_challenge: digest ? [] : [wrongChallenge],
  })
  return { password, digest: digest ?? '' }
}

/**
 * Sets the password, ends all other sessions, notifies the user by mail and gives this session a new token, since the
 * old one may have been copied. Undefined without a new password. Throws SignedOut, or Invalid if the password changed
 * since the challenge.
 */
export async function changePassword(
  app: Pick<FastifyInstance, 'db' | 'mail'>,
  { userId, token }: Session,
  { password, digest }: Change,
) {
  const passwordDigest = password && (await digestOf(password))
  return app.db.transaction(async (tx) => {
    await holdUser(tx, userId, digest)
    if (!passwordDigest) return undefined
    await Promise.all([
      record(tx, 'password_changed', { userId }),
      tx.update(users).set({ passwordDigest }).where(eq(users.id, userId)),
    ])
    await app.mail.queue(tx, 'password_changed', { userId })
    const session = await renewSession(tx, userId, token)
    return { user: { id: userId, passwordDigest }, session }
  })
}
