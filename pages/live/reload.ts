import { router } from '@inertiajs/react'
import { whenSettled } from '../visits/settled.ts'

const gathering = 50 // milliseconds, so that a burst of messages is one reload

const due = new Set<string>()
let waiting: (() => void)[] = []
let isPlanned = false

/** Loads these props of the page again in the background, once for all that ask for it at the same time. `after` runs when that is over, however it went. */
export function reload(props: Iterable<string>, after = () => {}) {
  for (const prop of props) due.add(prop)
  if (due.size === 0) return
  waiting.push(after)
  if (!isPlanned) plan()
}

function plan() {
  isPlanned = true
  setTimeout(() => whenSettled(load), gathering)
}

function load() {
  const reset = [...due]
  const asking = waiting
  due.clear()
  waiting = []
  router.reload({
    reset, // more than `only`: a list that grows page by page would otherwise keep what is gone
    preserveErrors: true,
    headers: { 'x-unattended': 'true' }, // it keeps no session alive that nobody uses
    showProgress: false,
    // Nobody asked for it, so its failure is no news: the next one will do.
    onHttpException: () => false,
    onNetworkError: () => false,
    onFinish() {
      isPlanned = false
      for (const after of asking) after()
      if (due.size > 0) plan()
    },
  })
}
