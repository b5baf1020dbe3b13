import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page, Rendered } from './pages.ts'
import type { Outcome, Task } from './ssr-worker.ts'

export type Renderer = Awaited<ReturnType<typeof createRenderer>>

interface RendererOptions {
  /** A bundle whose default export takes a page and the context and resolves to `{ head, body }`. */
  entry: string
  context?: Record<string, unknown>
  /** Includes the time spent waiting for a thread. */
  timeoutMs: number
  /** Called for each page that could not be rendered. Never receives URLs or props, which may contain secrets. */
  warn: (failure: { component?: string; reason: string }, message: string) => void
}

/** `client` is aborted when nobody waits for the page any more. */
type RenderOptions = { context?: object | undefined; client?: AbortSignal }

const maxQueueLength = 32 // a longer wait takes more time than the client's own rendering

/** Renders pages in worker threads: a page that loops can only be stopped by terminating its thread. */
export async function createRenderer({ entry, context, timeoutMs, warn }: RendererOptions) {
  const { Piscina } = await import('piscina')
  const pool = new Piscina<Task, Outcome>({
    filename: fileURLToPath(new URL('ssr-worker.ts', import.meta.url)),
    workerData: { entry: pathToFileURL(entry).href, context },
    minThreads: 2, // one may be stuck
    maxThreads: 4,
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
    recordTiming: false,
  })
  pool.on('error', (error: Error) => warn({ reason: error.name }, 'a thread for server rendering ended'))

  return {
    /**
     * The page as HTML, or undefined if the client has to render it, or has left. The bundle gets `context` beside its
     * own.
     */
    async render(page: Page, { context, client }: RenderOptions = {}): Promise<Rendered | undefined> {
      if (client?.aborted) return undefined
      const clock = new AbortController()
      const timeout = setTimeout(() => clock.abort(), timeoutMs)
      const leaveToClient = (reason: string) => {
        warn({ component: page.component, reason }, 'the server could not render a page and left it to the client')
        return undefined
      }
      try {
        if (pool.queueSize >= maxQueueLength) return leaveToClient('all threads are busy')
        const signal = client ? AbortSignal.any([clock.signal, client]) : clock.signal
        const outcome = await pool.run({ page: JSON.stringify(page), context }, { signal })
        return 'failure' in outcome ? leaveToClient(outcome.failure) : outcome
      } catch {
        if (client?.aborted) return undefined
        return leaveToClient(clock.signal.aborted ? `it took more than ${timeoutMs} ms` : 'its thread ended')
      } finally {
        clearTimeout(timeout)
      }
    },
    close: () => pool.destroy(),
  }
}
