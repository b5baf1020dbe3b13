import type { Page as InertiaPage, PageProps, SharedPageProps } from '@inertiajs/core'
import { createInertiaApp, type ResolvedComponent } from '@inertiajs/react'
import { html } from 'ghtml'
import { renderToString } from 'react-dom/server'
import type { Page } from '../plugins/inertia/pages.ts'
import { appOptions } from './app.tsx'
import { TitleOfDocument } from './shared/title.tsx'

const pages = import.meta.glob<ResolvedComponent>('./**/*.page.tsx', {
  import: 'default',
  eager: true,
})

/** Returns the tags of the head, and the body with the page object and the rendered page. */
export default async function renderPage(page: Page, { appName }: { appName: string }) {
  let title = appName
  const { withApp, ...options } = appOptions({ appName })
  const render = await createInertiaApp({
    ...options,
    withApp: (app) => <TitleOfDocument value={(text) => (title = text)}>{withApp(app)}</TitleOfDocument>,
    resolve: (name) => pages[`./${name}.page.tsx`] ?? Promise.reject(new Error(`There is no page ${name}`)),
  })
  // The client's type has keys that are never sent. The page is embedded as it is.
  const rendered = await render?.(page as unknown as InertiaPage<PageProps & SharedPageProps>, renderToString)
  return rendered && { ...rendered, head: [html`<title>${title}</title>`, ...rendered.head] }
}
