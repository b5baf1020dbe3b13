import type { SsoConnection, SsoDomain, SsoIdentity } from '../../drizzle/tables/single-sign-on.ts'
import type { InAccount } from '../accounts/props.ts'
import { recordOf } from './domain-names.ts'

export type DomainProps = ReturnType<typeof presentDomain>
export const presentDomain = (row: SsoDomain) => ({
  id: row.id,
  domain: row.domain,
  verified_at: row.verifiedAt?.toISOString() ?? null,
  record: recordOf(row),
})

export type ConnectionProps = ReturnType<typeof presentConnection>
export const presentConnection = (connection: SsoConnection) => ({
  issuer: connection.issuer,
  client_id: connection.clientId,
  created_at: connection.createdAt.toISOString(),
  used_at: connection.usedAt?.toISOString() ?? null,
  failure:
    connection.failureAt && connection.failureReason
      ? { at: connection.failureAt.toISOString(), reason: connection.failureReason }
      : null,
})

export type SsoIdentityProps = ReturnType<typeof presentSsoIdentity>
export const presentSsoIdentity = ({ identity, accountName }: { identity: SsoIdentity; accountName: string }) => ({
  id: identity.id,
  account_name: accountName,
  email: identity.email,
  created_at: identity.createdAt.toISOString(),
  last_used_at: identity.lastUsedAt?.toISOString() ?? null,
})

/** Members, those whom the provider signed in before, those who cannot pass, and whether this session has passed. */
export type Affected = { members: number; connected: number; outside: number; passed: boolean }

declare module '../../plugins/inertia/pages.ts' {
  interface PageParts {
    'single-sign-on': {
      'auth/sign-in': { sso: true }
      /** Workspaces whose single sign-on signs the person in. */
      'settings/security': { sso: SsoIdentityProps[] }
    }
  }
  interface Pages {
    /** `affected` is sent only on request. */
    'accounts/sso': InAccount & {
      domains: DomainProps[]
      connection: ConnectionProps | null
      callback_url: string
      start_url: string
      required: boolean
      affected?: Affected
    }
    'auth/sso': { invitation?: string; return_to?: string }
    /** `unavailable`: no provider is connected, though the workspace requires it. `second_factor`: owners get in with it, too. `second_factor_from`: they will, from this time on. */
    'auth/sso-start': {
      slug: string
      unavailable?: true
      invitation?: string
      return_to?: string
      second_factor?: true
      second_factor_from?: string
    }
  }
}
