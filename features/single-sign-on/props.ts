import type { SsoConnection, SsoDomain, SsoIdentity } from '../../drizzle/tables/single-sign-on.ts'
import type { InAccount } from '../accounts/props.ts'
import type { SignInQuery } from '../auth/props.ts'
import { recordOf } from './domain-names.ts'

/** `missed`: the newest look in vain, with the value that was there instead, if any. */
export type DomainProps = ReturnType<typeof presentDomain>
export const presentDomain = (row: SsoDomain) => ({
  id: row.id,
  domain: row.domain,
  verified_at: row.verifiedAt?.toISOString() ?? null,
  record: recordOf(row),
  missed: row.missedAt && !row.verifiedAt ? { at: row.missedAt.toISOString(), other_value: row.otherValue } : null,
})

export type ConnectionProps = ReturnType<typeof presentConnection>
export const presentConnection = (connection: SsoConnection) => ({
  issuer: connection.issuer,
  client_id: connection.clientId,
  created_at: connection.createdAt.toISOString(),
  used_at: connection.usedAt?.toISOString() ?? null,
  failure:
    connection.failureAt && connection.failureReason
      ? {
          at: connection.failureAt.toISOString(),
          reason: connection.failureReason,
          count: Math.max(connection.failureCount, 1), // 0.3.0 does not count
        }
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

/** Members, those whom the provider signed in before, and those who cannot pass. */
export type Affected = { members: number; connected: number; outside: number }

declare module '../../plugins/inertia/pages.ts' {
  interface Flash {
    sso_setup_link?: string
  }
  interface PageParts {
    'single-sign-on': {
      'auth/sign-in': { sso: true }
      /** Workspaces whose single sign-on signs the person in. */
      'settings/security': { sso: SsoIdentityProps[] }
    }
  }
  interface Pages {
    /**
     * `suggestion`: the domain of the owner's own address, before there is any. `passed`: this session has come through
     * the provider. `affected` is sent only on request.
     */
    'accounts/sso': InAccount & {
      domains: DomainProps[]
      suggestion: string | null
      connection: ConnectionProps | null
      callback_url: string
      start_url: string
      required: boolean
      passed: boolean
      /** `flash.sso_setup_link` has it once. */
      setup_link: { expires_at: string } | null
      affected?: Affected
    }
    'accounts/sso-tried': InAccount
    /** For whoever has the setup link. */
    'accounts/sso-setup': {
      token: string
      account_name: string
      domains: DomainProps[]
      connection: Pick<ConnectionProps, 'issuer' | 'client_id'> | null
      callback_url: string
      expires_at: string
    }
    'accounts/sso-setup-void': Record<never, never>
    'auth/sso': SignInQuery
    /**
     * `unavailable`: no provider is connected, though the workspace requires it. `second_factor`: owners get in with
     * it, too. `second_factor_from`: they will, from this time on.
     */
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
