import { workerData } from 'node:worker_threads'
import type { Rendered } from './pages.ts'

/** What one render needs. The page is text, which is quicker to hand over than its parts. */
export type Task = { page: string; context: object | undefined }
export type Outcome = Rendered | { failure: string }

const bundle = import(workerData.entry)
// The thread is ready once the bundle has loaded. If loading fails, each render reports it.
await bundle.catch(() => {})

/** Never throws: an error that cannot be cloned would terminate the thread. */
export default async function render({ page, context }: Task): Promise<Outcome> {
  try {
    const { default: render } = await bundle
    const { head, body } = await render(JSON.parse(page), { ...workerData.context, ...context })
    return { head: head.map(String), body: String(body) }
  } catch (error) {
    return { failure: describe(error) }
  }
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return `threw no error but a value of type ${typeof error}`

  const { name, message, stack = '' } = error
  const place = stack.slice(stack.indexOf(message) + message.length).match(/^\s+(at .+)$/m)
  return place ? `${name} ${place[1]}` : name
}
