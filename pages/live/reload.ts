import { router } from '@inertiajs/react'
import { whenSettled } from './visits.ts'

const gathering = 50 // milliseconds, so that a burst of messages is one reload

const due = new Set<string>()
let isPlanned = false

/** Loads these props of the page again in the background, once for all that ask for it at the same time. */
export function reload(props: Iterable<string>) {
  for (const prop of props) due.add(prop)
  if (isPlanned || due.size === 0) return
  isPlanned = true
  setTimeout(() => whenSettled(load), gathering)
}

function load() {
  const reset = [...due]
  due.clear()
  router.reload({
    reset, // more than `only`: a list that grows page by page would otherwise keep what is gone
    preserveErrors: true,
    showProgress: false,
    // Nobody asked for it, so its failure is no news: the next one will do.
    onHttpException: () => false,
    onNetworkError: () => false,
    onFinish() {
      isPlanned = false
      reload([])
    },
  })
}
