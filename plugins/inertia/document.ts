import type { FastifyReply } from 'fastify'
import { html } from 'ghtml'
import type { Page } from './pages.ts'

/** Surrounds a page with its HTML. */
export type Document = (reply: FastifyReply, component: string, rendered: Rendered) => string

/** A page as HTML: what goes into the head, and the body with the page object and the root element. */
export interface Rendered {
  head: string[]
  body: string
}

export interface DocumentOptions {
  appName: string
  /** Runs before the first paint. */
  script: string
  /** Tags of the application's own, such as its theme colour. */
  head?: string
  /** What stands at the end of the body, such as a word for browsers without scripts. */
  foot?: string
  /** What a browser should ask for before it reads a tag, as the value of a `Link` header. */
  early?: string
  nonce: (reply: FastifyReply) => string
  /** Module preloads, the entry script and its stylesheets; in development those of the development server. */
  tags: (component: string, nonce: string) => string
}

export function createDocument({
  appName,
  script,
  head = '',
  foot = '',
  early,
  nonce: nonceOf,
  tags,
}: DocumentOptions): Document {
  const opening = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`
  const title = html`<title data-inertia="">${appName}</title>`
  const identity = html`<meta name="application-name" content="${appName}"><meta name="mobile-web-app-capable" content="yes"><meta name="apple-mobile-web-app-capable" content="yes"><meta name="apple-mobile-web-app-title" content="${appName}"><link rel="icon" href="/icon.png" type="image/png"><link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/icon.png">!${head}`

  return (reply, component, rendered) => {
    const nonce = nonceOf(reply)
    if (early) reply.header('link', early)
    const hasTitle = rendered.head.some((tag) => tag.startsWith('<title'))
    const headings = hasTitle ? rendered.head.join('\n') : title + rendered.head.join('\n')
    // Joined, never replaced into a template: `$&` in somebody's name would be an instruction.
    return `${opening}${headings}${identity}<script nonce="${nonce}">${script}</script>${tags(component, nonce)}</head><body>${rendered.body}${foot}</body></html>`
  }
}

/** The page for a client that renders it itself. */
export const unrendered = (page: Page): Rendered => ({
  head: [],
  body: `<script data-page="app" type="application/json">${embed(page)}</script><div id="app"></div>`,
})

// Inside a script no entity is read; it is `<` that could end it, or start a comment. The rest is how the client's own renderer writes it.
const embed = (page: Page) => JSON.stringify(page).replaceAll('/', '\\/').replaceAll('<', '\\u003c')
