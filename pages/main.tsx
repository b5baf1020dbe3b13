import { Started } from './started.tsx'
import './styles/index.css'
import { createInertiaApp, router } from '@inertiajs/react'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import type { Language } from '../plugins/languages/index.ts'
import { appOptions } from './app.tsx'
import { resolvePage } from './bundles.ts'
import { watchDocumentErrors } from './forms/document-errors.ts'
import { watchForComingBack } from './forms/drafts.ts'
import { followNetwork } from './hooks/offline.ts'
import { loadSignedIn } from './load-signed-in.ts'
import { focusNewPages } from './shared/focus.ts'
import { explainFailures } from './visits/failures.ts'
import { announceFlashes } from './visits/flashes.ts'
import { initialPage } from './visits/initial-page.ts'
import { withoutOwnToken } from './visits/requests.ts'
import { watchSession } from './visits/session.ts'
import { setLocale } from './words/t.ts'

// A task of its own: evaluating all modules has taken long enough. A hidden document is about to be reloaded.
if (!document.documentElement.hidden) setTimeout(start)

async function start() {
  const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
  const [languages, links] = [JSON.parse(meta('languages') ?? '{}'), JSON.parse(meta('links') ?? '{}')]
  const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce
  const page = initialPage()
  const on = meta('options')?.split(' ') ?? []
  const { withApp, ...options } = appOptions({ appName: meta('application-name') ?? '', languages, links, options: on })

  try {
    await Promise.all([loadMessages(document.documentElement), page?.props.auth?.user && loadSignedIn()])
  } catch {
    return window.showIncomplete()
  }

  // Register before the first page is shown: it may have a flash, and what it loads may fail.
  watchSession(page)
  watchDocumentErrors(page?.props.errors)
  explainFailures()
  watchForComingBack()
  announceFlashes(page)
  focusNewPages()
  followNetwork()
  // After what the first page needs: nothing has lost the focus yet.
  import('./later.ts').then(({ startLater }) => startLater()).catch(() => {})
  // Loaded by the time that a guest is signed in.
  router.on('start', ({ detail: { visit } }) => visit.method !== 'get' && void loadSignedIn())

  createInertiaApp({
    ...options,
    setup({ el, App, props }) {
      const app = <Started>{withApp(<App {...props} />)}</Started>
      // in small steps, between which the browser can paint and react
      startTransition(() => {
        if (el?.hasAttribute('data-server-rendered')) hydrateRoot(el, app)
        else if (el) createRoot(el).render(app)
      })
    },
    page,
    resolve: resolvePage,
    nonce,
    http: withoutOwnToken,
    progress: { includeCSS: false, showSpinner: true, delay: 300 },
  })
}

// English needs none: its texts are in the code.
const catalogs = import.meta.glob<Language>(['../languages/*.ts', '!../languages/en.ts'], { import: 'default' })

async function loadMessages({ lang, dir }: HTMLElement) {
  router.on('before', ({ detail: { visit } }) => {
    visit.headers['X-Language'] = lang
  })
  const language = await catalogs[`../languages/${lang}.ts`]?.()
  setLocale({ tag: lang, dir: dir === 'rtl' ? 'rtl' : 'ltr', words: language?.words ?? {} })
}
