import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Rendered } from './document.ts'
import type { Page } from './pages.ts'
import type { Outcome } from './ssr-worker.ts'

export interface Renderer {
  /** The page as HTML, or nothing: then the client must render it. */
  render(page: Page): Promise<Rendered | undefined>
  /** Ends all threads. */
  close(): Promise<void>
}

export interface RendererOptions {
  /** The file of a bundle whose default export takes a page and the context, and resolves to `{ head, body }`. */
  entry: string
  context?: Record<string, unknown>
  timeoutMs: number
  /** Hears of each page that could not be rendered; never of its address or its props, which may hold secrets. */
  warn: (failure: { component?: string; reason: string }, message: string) => void
}

/**
 * Renders pages in threads of their own. React cannot be interrupted, so that only the end of its thread stops a page
 * that loops; and what a page allocates or exits is then the thread's and not the process's.
 */
export async function createRenderer({ entry, context, timeoutMs, warn }: RendererOptions): Promise<Renderer> {
  const { Piscina } = await import('piscina') // not at the top: an application that renders nothing here should not load it
  const pool = new Piscina<string, Outcome>({
    filename: fileURLToPath(new URL('ssr-worker.ts', import.meta.url)),
    workerData: { entry: pathToFileURL(entry).href, context },
    minThreads: 2, // one may be stuck
    maxThreads: 4,
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    recordTiming: false,
  })
  // A thread may fall between two renders too, over something that a page left behind.
  pool.on('error', (error) => warn({ reason: nameOf(error) }, 'a thread for server rendering ended'))

  return {
    async render(page) {
      const { component } = page
      const clock = new AbortController()
      const timer = setTimeout(() => clock.abort(), timeoutMs)
      const reason = (failure: string) => {
        warn({ component, reason: failure }, 'a page was left to the client, the server could not render it')
        return undefined
      }
      try {
        if (pool.queueSize >= longestQueue) return reason('all threads are busy')
        const outcome = await pool.run(JSON.stringify(page), { signal: clock.signal })
        return 'failure' in outcome ? reason(outcome.failure) : outcome
      } catch (error) {
        return reason(clock.signal.aborted ? `it took more than ${timeoutMs} ms` : `its thread ended: ${nameOf(error)}`)
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => pool.destroy(),
  }
}

// Waiting here is only worth while when the threads are quick; behind stuck ones the client is sooner done.
const longestQueue = 32

const nameOf = (error: unknown) =>
  error instanceof Error ? String('code' in error ? error.code : error.name) : typeof error
