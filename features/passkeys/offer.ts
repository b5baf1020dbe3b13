import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions } from '../../drizzle/schema.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import type { Database } from '../../plugins/database/index.ts'
import { defer } from '../../plugins/inertia/index.ts'
import type { Auth } from '../../plugins/security/session.ts'

/** New users are told to set one up, others who sign in with a password are offered one. */
export function offerPasskeys(app: FastifyInstance) {
  const isToDo = sql`not exists (select from ${passkeys} passkey where passkey.user_id = person.id)`
  app.firstSteps.add({ id: 'passkey', rank: 3, isToDo })
  app.addProps('accounts/show', (request) => ({
    offer_passkey: defer(() => isWorthOffering(app.db, request.signedIn)),
  }))
}

/** Whether a passkey would make the user's sign-ins easier. They need a verified address to add one. */
async function isWorthOffering(db: Database, { user, session }: Auth) {
  if (!user.verified) return false
  const hasPasskey = sql<boolean>`exists (select from ${passkeys} where ${passkeys.userId} = ${user.id})`
  const [began] = await db
    .select({ firstFactor: sessions.firstFactor, hasPasskey })
    .from(sessions)
    .where(eq(sessions.token, session.token))
  return began !== undefined && !began.hasPasskey && began.firstFactor === 'password'
}
