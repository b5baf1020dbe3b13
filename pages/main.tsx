import './styles/index.css'
import { createInertiaApp, type ResolvedComponent } from '@inertiajs/react'
import { appOptions } from './app.tsx'
import { followTheme } from './hooks/theme.ts'
import { announceFlashes } from './toasts/toasts.ts'
import { initialPage } from './visits/encryption.ts'
import { explainFailures } from './visits/failures.ts'
import { focusNewPages } from './visits/focus.ts'

const pages = import.meta.glob<ResolvedComponent>('./**/*.page.tsx', {
  import: 'default',
})
const appName = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? ''
const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce

// They listen before the first page is shown: it may have a flash of its own.
announceFlashes()
explainFailures()
focusNewPages()
followTheme()

createInertiaApp({
  ...appOptions({ appName, nonce }),
  page: initialPage(),
  resolve: (name) => pages[`./${name}.page.tsx`]?.() ?? Promise.reject(new Error(`There is no page ${name}`)),
  nonce,
  progress: { includeCSS: false, showSpinner: false },
})
