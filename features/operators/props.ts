import type { Account, Role, sessions, User } from '../../drizzle/schema.ts'
import type { operatorLog } from '../../drizzle/tables/operators.ts'
import type { OwnActivityProps } from '../activity/props.ts'
import { type Provider, presentSession } from '../auth/props.ts'

/** What the log names. Names stay readable for later versions. */
export type Action =
  | 'users_listed'
  | 'users_searched'
  | 'user_viewed'
  | 'reset_link_sent'
  | 'verification_sent'
  | 'pause_lifted'
  | 'sessions_ended'
  | 'second_factor_removed'
  | 'user_suspended'
  | 'user_unsuspended'
  | 'user_deleted'
  | 'operator_granted'
  | 'operator_revoked'
  | 'accounts_listed'
  | 'accounts_searched'
  | 'account_viewed'
  | 'owner_added'
  | 'sso_requirement_lifted'
  | 'jobs_listed'
  | 'jobs_retried'
  | 'job_run'

export const presentUserRow = ({ id, name, email, verified, createdAt, suspendedAt }: User) => ({
  id,
  name,
  email,
  verified,
  created_at: createdAt.toISOString(),
  suspended_at: suspendedAt?.toISOString() ?? null,
})

type ViewedUser = User & { lastSeenAt: Date | null; factorLockedUntil: Date | null; isOperator: boolean }

export const presentUser = (user: ViewedUser) => ({
  ...presentUserRow(user),
  suspension_reason: user.suspensionReason,
  last_seen_at: user.lastSeenAt?.toISOString() ?? null,
  /** Until when wrong codes keep the person from entering a right one. */
  factor_locked_until: user.factorLockedUntil?.toISOString() ?? null,
  operator: user.isOperator,
})

export function presentSessionOf(session: typeof sessions.$inferSelect) {
  const { id: _, ...shown } = presentSession(session)
  return shown
}

type AccountRow = ReturnType<typeof presentAccountRow>
export function presentAccountRow({ id, name, slug, createdAt }: Account) {
  return { id, name, slug, created_at: createdAt.toISOString() }
}

type Entry = { entry: typeof operatorLog.$inferSelect; operatorName: string | null }

export type LogEntry = ReturnType<typeof presentEntry>
export const presentEntry = ({ entry, operatorName }: Entry) => ({
  operator: { id: entry.operatorId, name: entry.operatorId === null ? 'command line' : operatorName },
  action: entry.action,
  user_id: entry.userId,
  account_id: entry.accountId,
  ip_address: entry.ipAddress,
  created_at: entry.createdAt.toISOString(),
})

export const presentMail = ({ job, isDead, createdAt }: { job: string; isDead: boolean; createdAt: Date }) => ({
  purpose: job,
  state: isDead ? ('failed' as const) : ('waiting' as const),
  created_at: createdAt.toISOString(),
})

declare module '../../plugins/inertia/pages.ts' {
  interface SharedProps {
    /** Whether the signed-in user is an operator. Left out for others. */
    operator?: true
  }
  interface Pages {
    'operators/users': { users: ReturnType<typeof presentUserRow>[]; q: string }
    'operators/user': {
      user: ReturnType<typeof presentUser>
      /** As `npm run users -- list` names them. */
      ways: string[]
      /**
       * What else may keep them out: until when too many tries do, consumed codes, and what their workspaces require.
       */
      obstacles: {
        paused_until: string | null
        recovery_codes_left: number | null
        requiring: { id: number; name: string; is_owner: boolean; second_factor: boolean; sso: boolean }[]
      }
      sessions: ReturnType<typeof presentSessionOf>[]
      accounts: { id: number; name: string; slug: string; role: Role }[]
      activities: OwnActivityProps[]
      mails: ReturnType<typeof presentMail>[]
      providers: Provider[]
    }
    'operators/accounts': { accounts: AccountRow[]; q: string }
    'operators/account': {
      account: AccountRow
      /** With the ids of users. */
      members: { id: number; name: string; email: string; role: Role }[]
      requires: { second_factor: boolean; sso: boolean }
      invitations: { email: string; role: Role; expires_at: string }[]
    }
    'operators/log': { log: LogEntry[] }
  }
}
