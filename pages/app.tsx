import type { ReactElement } from 'react'
import { Boundary } from './layouts/boundary.tsx'
import { type Site, SiteContext } from './shared/site.ts'

/** Options that browser and server must share, or hydration fails. */
export const appOptions = (site: Site) => ({
  defaults: {
    form: { withAllErrors: true }, // by default, forms keep only the first message of each field
    prefetch: { cacheFor: 5_000, hoverDelay: 75 }, // from the pointer to the press, so that no page is outdated
  },
  withApp: (app: ReactElement) => (
    <SiteContext value={site}>
      <Boundary as="main">{app}</Boundary>
    </SiteContext>
  ),
})
