import { KeySquare } from 'lucide-react'
import '../../features/workspace-tokens/rights.ts'
import type { WorkspaceTokenActivities } from '../../features/workspace-tokens/activities.ts'
import { workspaceTokenPaths } from '../../features/workspace-tokens/paths.ts'
import { text } from '../../plugins/languages/text.ts'
import { created, revoked } from '../api/feature.tsx'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'

export const workspaceTokens: Feature<keyof WorkspaceTokenActivities> = {
  option: 'workspace-tokens',
  tab: {
    name: text('Tokens'),
    path: workspaceTokenPaths.workspaceTokens,
    right: 'tokens.manage',
    besideSettings: true,
  },
  mails: {
    workspace_token_created: text('A token was created'),
    workspace_token_revoked: text('A token was revoked'),
    workspace_token_kept: text('A token that {name} made still works', { name: text('Somebody') }),
    workspace_token_blocked: text('A token that {name} made is blocked', { name: text('Somebody') }),
    workspace_token_expires: text('A token expires soon'),
  },
  icons: {
    workspace_token_created: KeySquare,
    workspace_token_rolled: KeySquare,
    workspace_token_revoked: KeySquare,
  },
  sentences: {
    workspace_token_created: created,
    workspace_token_rolled: ({ actor }, { details: { token_name: token } }) =>
      rich('{actor} rolled the token {token}', { actor, token }),
    workspace_token_revoked: revoked,
  },
}
