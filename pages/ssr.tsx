import type { Page as InertiaPage, PageProps, SharedPageProps } from '@inertiajs/core'
import { createInertiaApp, type ResolvedComponent } from '@inertiajs/react'
import { html } from 'ghtml'
import { renderToString } from 'react-dom/server'
import type { Page } from '../plugins/inertia/pages.ts'
import type { Language } from '../plugins/languages/index.ts'
import { english } from '../plugins/languages/translate.ts'
import { appOptions } from './app.tsx'
import { byName } from './names.ts'
import { TitleOfDocument } from './shared/heading.tsx'
import type { Site } from './shared/site.ts'
import { setLocale } from './words/t.ts'

const pages = byName(import.meta.glob<ResolvedComponent>('./**/*.page.tsx', { import: 'default', eager: true }))

const languages = import.meta.glob<Language>('../languages/*.ts', { import: 'default', eager: true })

type Context = Site & { tag: string }

export default async function renderPage(page: Page, { tag, ...site }: Context) {
  let title = site.appName
  const { withApp, ...options } = appOptions(site)
  const render = await createInertiaApp({
    ...options,
    withApp: (app) => <TitleOfDocument value={(text) => (title = text)}>{withApp(app)}</TitleOfDocument>,
    resolve: (name) => pages[name] ?? Promise.reject(new Error(`There is no page ${name}`)),
  })
  // The client's type has keys that are never sent. The page is embedded as it is.
  const rendered = await render?.(page as unknown as InertiaPage<PageProps & SharedPageProps>, (app) => {
    setLocale({ tag, ...(languages[`../languages/${tag}.ts`] ?? english) }) // until the page is rendered: nothing waits
    return renderToString(app)
  })
  return rendered && { ...rendered, head: [html`<title>${title}</title>`, ...rendered.head] }
}
