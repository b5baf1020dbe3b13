import { relative, sep } from 'node:path'
import { subscribe } from '@parcel/watcher'

const pauseMs = 100 // without an event: git and editors write several files
const ignored = ['.git', '.data', '.tap', '.ci', 'bench', 'build', 'docs', 'node_modules', 'test']

// The server's own sources, and what it takes from the pages. All other pages are Vite's.
const folders = /^(brand|server|plugins|features|drizzle|development|languages|pages\/public)\//
const files = /^(app\.ts|server\.ts|pages\/(document|first-script)\.ts)$/
const kinds = /\.(ts|js|json|sql|bin|html)$/

/**
 * Calls back once for each burst of changes to the server's sources. Watches folders instead of files, so that a file
 * which an editor or git replaces by another one is not lost.
 */
export async function watchSources(root: string, callback: (changed: string[]) => void) {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const report = () => callback([...changed].toSorted().filter((path) => changed.delete(path)))
  const { unsubscribe } = await subscribe(
    root,
    (error, events) => {
      if (error) throw error
      const paths = events.map(({ path }) => relative(root, path).split(sep).join('/'))
      for (const path of paths) if (isSource(path)) changed.add(path)
      if (changed.size === 0) return
      clearTimeout(timer)
      timer = setTimeout(report, pauseMs)
    },
    { ignore: ignored },
  )
  return unsubscribe
}

const isSource = (path: string) => kinds.test(path) && (folders.test(path) || files.test(path))
