import { workspaceTokenPaths } from '../../../features/workspace-tokens/paths.ts'
import type { WorkspaceTokenProps } from '../../../features/workspace-tokens/props.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { RoleField } from '../../accounts/role-field.tsx'
import { Tokens } from '../../api/tokens.tsx'
import { AppLayout } from '../../layouts/app.tsx'
import { Heading } from '../../shared/heading.tsx'
import { rich, t } from '../../words/t.ts'
import { roleIn, workspaceName } from '../../words/workspace.tsx'

export default function WorkspaceTokens({ account, tokens }: PageProps<'accounts/tokens'>) {
  const { slug } = account
  return (
    <div className="settings-section account-settings">
      <Heading title={t('Tokens')}>
        {rich(
          'With a token, a program acts as {name}, and goes on when whoever made it leaves. Treat it like a password.',
          {
            name: workspaceName(account),
          },
        )}
      </Heading>
      <Tokens
        tokens={tokens}
        paths={{
          create: workspaceTokenPaths.createWorkspaceToken(slug),
          roll: (id) => workspaceTokenPaths.rollWorkspaceToken(slug, id),
          revoke: (id) => workspaceTokenPaths.revokeWorkspaceToken(slug, id),
        }}
        title={t('Tokens of this workspace')}
        nothing={t('There are no tokens yet.')}
        full={t('This workspace has {max} tokens already', { max: 20 })}
        fields={<RoleField />}
        facts={factsOf}
      />
    </div>
  )
}

const factsOf = ({ role, created_by, blocked, orphaned }: WorkspaceTokenProps) => [
  roleIn(role),
  rich('made by {name}', { name: created_by ?? t('a deleted user') }),
  blocked && (
    <span key="blocked" className="token-ends">
      {t('Blocked: whoever made it is suspended, or was not let in as the workspace requires. Roll it to go on.')}
    </span>
  ),
  orphaned && !blocked && (
    <span key="orphaned" className="token-ends">
      {t('Invites and removes nobody: whoever made it manages this workspace no longer. Roll it to go on.')}
    </span>
  ),
]

WorkspaceTokens.layout = AppLayout
