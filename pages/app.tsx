import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactElement } from 'react'
import { AppName } from './shared/brand.tsx'

/** Options that browser and server must share, or hydration fails. */
export const appOptions = ({ appName, nonce }: { appName: string; nonce?: string | undefined }) => ({
  defaults: { form: { withAllErrors: true } }, // by default, forms keep only the first message of each field
  withApp: (app: ReactElement) => (
    <CSPProvider nonce={nonce}>
      <AppName value={appName}>{app}</AppName>
    </CSPProvider>
  ),
})
