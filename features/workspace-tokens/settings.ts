import { oneOf } from '../../plugins/settings.ts'

export const workspaceTokenSettings = { WORKSPACE_TOKENS: oneOf('on', 'off') }

export const readWorkspaceTokens = ({ WORKSPACE_TOKENS }: { WORKSPACE_TOKENS: string }) => ({
  workspaceTokens: WORKSPACE_TOKENS === 'on',
})
