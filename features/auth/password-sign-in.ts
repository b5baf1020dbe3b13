import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { activities, rateLimits, sessions, type User, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import type { Client } from '../../plugins/http/client.ts'
import { normalizeEmail } from '../../plugins/mail/email-address.ts'
import type { Device } from '../../plugins/security/device.ts'
import { digestOf, isOutdated, isPassword, requireRoom } from '../../plugins/security/digests.ts'
import { uncount } from '../../plugins/security/limits/index.ts'
import { selectLastUsedSlug } from '../accounts/accounts.ts'
import { recording } from '../activity/index.ts'
import type { FindForGuess, Guess } from './guesses.ts'
import { newToken } from './sessions.ts'

type Credentials = { email: string; password: string; device?: Device | undefined }

/**
 * The user of an address, and the guess that was counted. `authenticated` is set if the password is right. An unknown
 * address takes as long as a wrong password, and so does that of a person without one. Throws TooManyRequests before
 * any password is verified.
 */
export async function verifyCredentials(
  db: Database,
  findForGuess: FindForGuess,
  { email, password, device }: Credentials,
) {
  requireRoom()
  const { user, guess } = await findForGuess(normalizeEmail(email), device)
  try {
    const matches = await isPassword(password, user?.passwordDigest)
    if (!user?.passwordDigest || !matches) return { user, guess }
    return {
      user,
      guess,
      authenticated: isOutdated(user.passwordDigest) ? await renewDigest(db, user, password) : user,
    }
  } catch (error) {
    await uncount(db, guess.counted)
    throw error
  }
}

/** Hashes the password again with the current cost. The update is skipped if the password has changed meanwhile. */
async function renewDigest(db: Database, user: User, password: string) {
  const passwordDigest = await digestOf(password)
  const unchanged = and(eq(users.id, user.id), eq(users.passwordDigest, user.passwordDigest ?? ''))
  await db.update(users).set({ passwordDigest }).where(unchanged)
  return { ...user, passwordDigest }
}

/**
 * Starts a session for an authenticated user and finds the account to go to. Undefined if the password was changed or a
 * second factor was added after the verification: the row lock makes such a change wait and then remove this session,
 * or makes this statement wait and see the change. A single statement, which saves the round trips of a transaction.
 */
export function sessionStarter({ db, now }: Pick<FastifyInstance, 'db' | 'now'>) {
  const statement = prepareSignIn(db)
  return async (user: User, guess: Guess, client: Client) => {
    const token = newToken()
    const given = { ...user, ...guess, ...client, token, now: now().toISOString() }
    const [started] = await statement.execute(given)
    return started && { user, session: { token }, slug: started.slug, activityId: Number(started.activity) }
  }
}

// Prepared, because building this statement anew takes a tenth of the main thread's time for a sign-in.
function prepareSignIn(db: Database) {
  const given = (name: string) => sql`${sql.placeholder(name)}`
  const [id, now] = [given('id'), given('now')]
  const client = { ipAddress: given('ipAddress'), userAgent: given('userAgent') }
  const unchanged = db.$with('unchanged', { id: sql`unchanged.id` }).as(sql`
    select id from ${users}
    where id = ${id} and password_digest = ${given('passwordDigest')} and second_factor_at is null for share`)
  const started = db.$with('started', {}).as(sql`
    insert into ${sessions} (token, user_id, ip_address, user_agent, method, created_at, last_seen_at)
    select ${given('token')}::text, id, ${client.ipAddress}::text, ${client.userAgent}::text, 'password',
      ${now}::timestamptz, ${now}::timestamptz
    from unchanged`)
  const recorded = db
    .$with('recorded', { activity: sql<string>`recorded.id`.as('activity') })
    .as(recording('signed_in', { userId: id, method: 'password' }, sql`unchanged`, client))
  const forgiven = db.$with('forgiven', {}).as(sql`
    delete from ${rateLimits}
    where key in (${given('counted')}, ${given('address')}) and exists (select from unchanged)`)
  const slug = selectLastUsedSlug(db, { id, lastAccountId: given('lastAccountId') })
  return db
    .with(unchanged, started, recorded, forgiven)
    .select({ slug: sql<string | null>`(${slug})`, activity: sql<string>`recorded.id` })
    .from(unchanged)
    .innerJoin(recorded, sql`true`)
    .prepare('sign_in')
}

/** Records a wrong password, at most once an hour per client, however often it tries. */
export function recordFailedSignIn(db: Database, userId: number, client: Client) {
  const recordedBefore = sql`
    select from ${activities} same
    where same.user_id = failed.id and same.type = 'sign_in_refused' and same.ip_address = ${client.ipAddress}
      and same.created_at > now() - interval '1 hour'`
  const failed = sql`${users} failed where failed.id = ${userId} and not exists (${recordedBefore})`
  return db.transaction(async (tx) => {
    // The lock delays a deletion of the user, and of two concurrent attempts the second sees what the first recorded.
    await tx.execute(sql`select from ${users} where id = ${userId} for no key update`)
    await tx.execute(recording('sign_in_refused', { userId: sql`failed.id`, actorId: null }, failed, client))
  })
}
