import { defineSettings, oneOf } from '../../plugins/settings.ts'

declare module '../../plugins/settings.ts' {
  interface OptionConfig {
    workspaceTokens: boolean
  }
}

defineSettings({
  variables: { WORKSPACE_TOKENS: oneOf('on', 'off') },
  read: ({ WORKSPACE_TOKENS }) => ({ workspaceTokens: WORKSPACE_TOKENS === 'on' }),
})
