import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Worker } from 'node:worker_threads'
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
  /** Counted from the request for a page, whether a thread was free for it or not. */
  timeoutMs: number
  /** Hears of each page that could not be rendered; never of its address or its props, which may hold secrets. */
  warn: (failure: { component?: string; reason: string }, message: string) => void
}

/**
 * Renders pages in threads of their own. Rendering cannot be interrupted, so that only the end of its thread stops a
 * page that loops; and what a page allocates or exits is then the thread and not the process.
 */
export async function createRenderer({ entry, context, timeoutMs, warn }: RendererOptions): Promise<Renderer> {
  const { Piscina } = await import('piscina') // not at the top: an application that renders nothing here should not load it
  const pool = new Piscina<string, Outcome>({
    filename: fileURLToPath(new URL('ssr-worker.ts', import.meta.url)),
    workerData: { entry: pathToFileURL(entry).href, context },
    minThreads: 2, // one may be stuck
    maxThreads: 4,
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 16 },
    recordTiming: false,
  })
  // A thread may also fall between two renders, over something that a page left behind.
  pool.on('error', (error: Error) => warn({ reason: error.name }, 'a thread for server rendering ended'))

  let asked = 0
  return {
    async render(page) {
      const clock = new AbortController()
      const timeout = setTimeout(() => clock.abort(), timeoutMs)
      const watch = setInterval(() => endHungry(pool.threads), 20)
      const leaveToClient = (reason: string) => {
        warn({ component: page.component, reason }, 'the server could not render a page and left it to the client')
        return undefined
      }
      try {
        if (++asked % 64 === 0) endHungry(pool.threads) // each render may be quick and still leak
        if (pool.queueSize >= longestQueue) return leaveToClient('all threads are busy')
        const outcome = await pool.run(JSON.stringify(page), { signal: clock.signal })
        return 'failure' in outcome ? leaveToClient(outcome.failure) : outcome
      } catch {
        return leaveToClient(clock.signal.aborted ? `it took more than ${timeoutMs} ms` : 'its thread ended')
      } finally {
        clearTimeout(timeout)
        clearInterval(watch)
      }
    },
    close: () => pool.destroy(),
  }
}

// Waiting pays while the threads are quick. Behind stuck ones the client is done sooner.
const longestQueue = 32

const heapLimit = 200e6

/**
 * Ends threads before they come near Node's own limit: an allocation far beyond that one, such as an array that doubles,
 * does not end the thread but the process.
 */
function endHungry(threads: Worker[]) {
  for (const thread of threads) {
    thread.getHeapStatistics().then(
      ({ used_heap_size, external_memory }) => {
        if (used_heap_size + external_memory > heapLimit) thread.terminate()
      },
      () => {}, // it has ended already
    )
  }
}
