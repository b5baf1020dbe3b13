import { and, asc, desc, eq, gt, isNull, not, sql } from 'drizzle-orm'
import { accounts, invitations, memberships, sessions, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { authColumns } from '../../plugins/security/session.ts'
import type { SessionPolicy } from '../../plugins/security/session-policy.ts'
import { hasFactor, hasTwoFactors, missingIn } from './second-factor-requirement.ts'

/** Session, user, account and membership of an account page. Prepared, since every page of an account runs it. */
export const memberFinder = (db: Database, policy: SessionPolicy) =>
  db
    .select({
      ...authColumns,
      account: {
        id: accounts.id,
        name: accounts.name,
        slug: accounts.slug,
        picture: accounts.picture,
        requireSecondFactor: accounts.requireSecondFactor,
      },
      membership: { role: memberships.role },
      missing: missingIn(accounts.requireSecondFactor, not(hasFactor), hasTwoFactors(sessions.method)),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accounts, eq(accounts.slug, sql.placeholder('slug')))
    .leftJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.userId, users.id)))
    .where(and(eq(sessions.token, sql.placeholder('token')), policy.isActiveAt()))
    .prepare(db.statement('find_member'))

/** The accounts of a user, by name. */
export const accountsOf = (db: Database, userId: number) =>
  db
    .select({ name: accounts.name, slug: accounts.slug, picture: accounts.picture })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(accounts.name), asc(accounts.id))

const maxShown = 20

/** The open invitations to a verified address, newest first. */
export const openInvitationsTo = (db: Database, email: string, now: Date) =>
  db
    .select({ id: invitations.id, account_name: accounts.name, inviter_name: users.name })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .leftJoin(users, eq(users.id, invitations.inviterId))
    .where(and(eq(invitations.email, email), isNull(invitations.acceptedAt), gt(invitations.expiresAt, now)))
    .orderBy(desc(invitations.id))
    .limit(maxShown)
