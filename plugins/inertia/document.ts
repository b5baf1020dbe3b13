import type { FastifyReply } from 'fastify'
import { html } from 'ghtml'
import type { Page } from './pages.ts'

/** Wraps a rendered page in its HTML document. */
export type Document = (reply: FastifyReply, component: string, rendered: Rendered) => string

/** A page as HTML: tags for the head, and the body with the page object and the root element. */
export interface Rendered {
  head: string[]
  body: string
}

export interface DocumentOptions {
  appName: string
  language?: { tag: string; dir: string }
  /** Runs before the first paint. */
  script: string
  /** Additional tags, such as the theme colour. */
  head?: string
  /** Appended to the body, such as a message for browsers without scripts. */
  foot?: string
  /** Value of a `Link` header: what browsers should request before they parse any tag. */
  early?: string
  nonce: (reply: FastifyReply) => string
  /** Module preloads, the entry script and its stylesheets. In development, those of the Vite server. */
  tags: (component: string, nonce: string) => string
}

export function createDocument({
  appName,
  language = { tag: 'en', dir: 'ltr' },
  script,
  head = '',
  foot = '',
  early,
  nonce: nonceOf,
  tags,
}: DocumentOptions): Document {
  const opening =
    `<!doctype html><html lang="${language.tag}"${language.dir === 'rtl' ? ' dir="rtl"' : ''}>` +
    '<head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
  const title = html`<title>${appName}</title>`
  const identity = [
    html`<meta name="application-name" content="${appName}"><meta name="mobile-web-app-capable" content="yes">`,
    '<meta name="apple-mobile-web-app-capable" content="yes">',
    html`<meta name="apple-mobile-web-app-title" content="${appName}">`,
    '<link rel="icon" href="/icon.png" type="image/png"><link rel="icon" href="/icon.svg" type="image/svg+xml">',
    `<link rel="apple-touch-icon" href="/icon.png">${head}<script nonce="`,
  ].join('')
  const scriptTag = `">${script}</script>`
  const closing = `${foot}</body></html>`
  const headingsOf = (head: string[]) => (head.some((tag) => tag.startsWith('<title')) ? '' : title) + head.join('\n')

  return (reply, component, rendered) => {
    const nonce = nonceOf(reply)
    if (early) reply.header('link', early)
    // Concatenated rather than inserted with replace(), where `$&` in a user's name would be a replacement pattern.
    const scripts = nonce + scriptTag + tags(component, nonce)
    return `${opening}${headingsOf(rendered.head)}${identity}${scripts}</head><body>${rendered.body}${closing}`
  }
}

/** A page that the client renders itself. */
export const unrendered = (page: Page): Rendered => ({
  head: [],
  body: `<script data-page="app" type="application/json">${embed(page)}</script><div id="app"></div>`,
})

// Browsers do not decode entities inside a script, but `<` could close it or open a comment. `/` is escaped because the
// client's own renderer does so.
const embed = (page: Page) => JSON.stringify(page).replaceAll('/', '\\/').replaceAll('<', '\\u003c')
