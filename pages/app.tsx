import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactElement } from 'react'
import { type Site, SiteContext } from './shared/site.ts'

/** Options that browser and server must share, or hydration fails. */
export const appOptions = (site: Site, nonce?: string) => ({
  defaults: { form: { withAllErrors: true } }, // by default, forms keep only the first message of each field
  withApp: (app: ReactElement) => (
    <CSPProvider nonce={nonce}>
      <SiteContext value={site}>{app}</SiteContext>
    </CSPProvider>
  ),
})
