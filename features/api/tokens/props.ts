import type { ApiToken } from '../../../drizzle/tables/api.ts'

/** Of a token of whatever kind. */
type Shown = Pick<ApiToken, 'id' | 'name' | 'scope' | 'createdAt' | 'expiresAt' | 'lastUsedAt'>

export type TokenProps = ReturnType<typeof presentToken>
export const presentToken = ({ id, name, scope, createdAt, expiresAt, lastUsedAt }: Shown) => ({
  id,
  name,
  scope,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
})

declare module '../../../plugins/inertia/pages.ts' {
  interface Pages {
    /** Newest first. Expired ones stay for a month. */
    'settings/tokens': { tokens: TokenProps[] }
  }
  interface Flash {
    /** A token, right after it was created. */
    token?: string
  }
}
