import { router } from '@inertiajs/react'
import { keepingRows } from '../shared/rows-shown.ts'
import { whenSettled } from '../visits/own-visits.ts'

const gathering = 50 // milliseconds, so that a burst of messages causes a single reload
const maxMs = 20_000 // A network that drops packets might hold a request, and all that follow, for minutes.

const due = new Set<string>()
let waiting: (() => void)[] = []
let isPlanned = false

/**
 * Reloads props in the background. Concurrent calls share one request. `after` runs when it is over, whether it
 * succeeded or not.
 */
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
  let late: ReturnType<typeof setTimeout> | undefined
  router.reload({
    reset, // with `only`, a list loaded page by page would keep deleted rows
    headers: { ...keepingRows(), 'x-unattended': 'true' }, // must not keep an unused session alive
    showProgress: false,
    // The user did not ask for this, so failures are not reported. The next reload makes up for it.
    onHttpException: () => false,
    onNetworkError: () => false,
    onCancelToken({ cancel }) {
      late = setTimeout(cancel, maxMs)
    },
    onFinish() {
      clearTimeout(late)
      isPlanned = false
      for (const after of asking) after()
      if (due.size > 0) plan()
    },
  })
}
