import './styles/index.css'
import { createInertiaApp, type ResolvedComponent } from '@inertiajs/react'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { appOptions } from './app.tsx'
import { loadAfresh, MissingPage } from './visits/chunks.ts'
import { watchForComingBack } from './visits/drafts.ts'
import { EarlyPress } from './visits/early-press.tsx'
import { initialPage } from './visits/encryption.ts'
import { explainFailures } from './visits/failures.ts'
import { announceFlashes } from './visits/flashes.ts'
import { focusNewPages } from './visits/focus.ts'
import { withoutOwnToken } from './visits/requests.ts'
import { watchSession } from './visits/session.ts'
import { learnWordsOf, speakLike } from './words/load.ts'

// A task of its own: evaluating all modules has taken long enough. A hidden document is about to be reloaded.
if (!document.documentElement.hidden) setTimeout(start)

const pages = import.meta.glob<ResolvedComponent>('./**/*.page.tsx', { import: 'default' })
function start() {
  const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
  const site = { appName: meta('application-name') ?? '', languages: JSON.parse(meta('languages') ?? '{}') }
  const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce
  const page = initialPage()
  const { withApp, ...options } = appOptions({ ...site, nonce })

  speakLike(document.documentElement)

  // Register before the first page is shown: it may have a flash, and what it loads may fail.
  watchSession(page)
  explainFailures()
  watchForComingBack()
  const announceFirstAlert = announceFlashes(page)
  focusNewPages()
  // What only later visits need may load later.
  void import('./visits/later.ts').catch(() => {})

  createInertiaApp({
    ...options,
    setup({ el, App, props }) {
      const app = <EarlyPress on={window.takePress?.()}>{withApp(<App {...props} />)}</EarlyPress>
      // in small steps, between which the browser can paint and react
      startTransition(() => {
        if (el?.hasAttribute('data-server-rendered')) hydrateRoot(el, app)
        else if (el) createRoot(el).render(app)
      })
    },
    page,
    resolve: async (name, page?: { url: string }) => {
      const load = pages[`./${name}.page.tsx`]
      if (!load) throw new Error(`There is no page ${name}`)
      const component = load().catch(() => Promise.reject(new MissingPage(page?.url ?? location.href)))
      await Promise.all([component, learnWordsOf(name)])
      announceFirstAlert()
      return component
    },
    nonce,
    http: withoutOwnToken,
    progress: { includeCSS: false, showSpinner: false },
  }).catch((error) => {
    if (!(error instanceof MissingPage)) throw error
    loadAfresh(error, { isFirst: true })
  })
}
