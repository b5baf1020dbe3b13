import type { FastifyReply } from 'fastify'
import type { Page } from './pages.ts'

export type Document = (reply: FastifyReply, rendered: Rendered) => string

export interface Rendered {
  head: string[]
  body: string
}

export const unrendered = (page: Page): Rendered => ({
  head: [],
  body: `<script data-page="app" type="application/json">${embed(page)}</script><div id="app"></div>`,
})

// Browsers do not decode entities inside a script, but `<` could close it or open a comment. `/` is escaped because the
// client's own renderer does so.
const embed = (page: Page) => JSON.stringify(page).replaceAll('/', '\\/').replaceAll('<', '\\u003c')
