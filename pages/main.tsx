import './styles/index.css'
import { createInertiaApp, type ResolvedComponent } from '@inertiajs/react'
import { appOptions } from './app.tsx'
import { initialPage } from './encryption.ts'
import { explainFailures } from './failures.ts'
import { focusNewPages } from './focus.ts'
import { followTheme } from './hooks/theme.ts'
import { announceFlashes } from './shared/toasts.ts'

const pages = import.meta.glob<ResolvedComponent>(['./*/**/*.tsx', '!./{layouts,shared,hooks}/**'], {
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
  resolve: (name) => pages[`./${name}.tsx`]?.() ?? Promise.reject(new Error(`There is no page ${name}`)),
  nonce,
  progress: { includeCSS: false, showSpinner: false },
})
