import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactElement } from 'react'
import { AppName } from './shared/brand.tsx'

/** What browser and server must agree on, or the page that arrives is not the page that was rendered. */
export const appOptions = ({ appName, nonce }: { appName: string; nonce?: string | undefined }) => ({
  defaults: { form: { withAllErrors: true } }, // otherwise forms keep only the first message of a field
  title: (title: string) => [title, asHtml(appName)].filter(Boolean).join(' · '),
  withApp: (app: ReactElement) => (
    <CSPProvider nonce={nonce}>
      <AppName value={appName}>{app}</AppName>
    </CSPProvider>
  ),
})

// The result becomes HTML as it is; the title arrives escaped, the name does not.
const asHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
