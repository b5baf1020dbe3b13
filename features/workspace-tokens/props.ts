import type { WorkspaceToken } from '../../drizzle/tables/workspace-tokens.ts'
import type { InAccount } from '../accounts/props.ts'
import { presentToken } from '../api/tokens/props.ts'

type Known = { token: WorkspaceToken; maker: string | null; isBlocked: boolean; isOrphaned: boolean }

export type WorkspaceTokenProps = ReturnType<typeof presentWorkspaceToken>
export const presentWorkspaceToken = ({ token, maker, isBlocked, isOrphaned }: Known) => ({
  ...presentToken(token),
  role: token.role,
  created_by: maker,
  blocked: isBlocked,
  orphaned: isOrphaned,
})

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    /** Newest first. Expired ones stay for a month. */
    'accounts/tokens': InAccount & { tokens: WorkspaceTokenProps[] }
  }
}
