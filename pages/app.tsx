import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactElement } from 'react'
import { AppName } from './shared/brand.tsx'
import { Languages } from './shared/languages.ts'

/** What pages know of the site they are part of. */
export type Site = { appName: string; languages: Record<string, string> }

/** Options that browser and server must share, or hydration fails. */
export const appOptions = ({ appName, languages, nonce }: Site & { nonce?: string | undefined }) => ({
  defaults: { form: { withAllErrors: true } }, // by default, forms keep only the first message of each field
  withApp: (app: ReactElement) => (
    <CSPProvider nonce={nonce}>
      <Languages value={languages}>
        <AppName value={appName}>{app}</AppName>
      </Languages>
    </CSPProvider>
  ),
})
