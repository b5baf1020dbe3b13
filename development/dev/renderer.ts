import type { ViteDevServer } from 'vite'
import type { Rendered } from '../../plugins/inertia/document.ts'
import type { Page } from '../../plugins/inertia/pages.ts'

/** What the server asks the process above, and what it gets. */
export type Question = { id: string; page: Page; context: object }
export type Answer = { id: string; rendered?: Rendered; error?: { name: string; message: string; stack?: string } }

/** Renders a page from its newest source. */
export async function answer(vite: ViteDevServer, { id, page, context }: Question): Promise<Answer> {
  try {
    const { default: render } = await vite.ssrLoadModule('/pages/ssr.tsx', { fixStacktrace: true })
    return { id, rendered: await render(page, context) }
  } catch (error) {
    if (!(error instanceof Error)) return { id, error: { name: 'Error', message: String(error) } }
    const { name, message, stack } = error
    return { id, error: stack === undefined ? { name, message } : { name, message, stack } }
  }
}
