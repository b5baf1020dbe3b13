const counts = new Map<string, number>()

/** Notes how many rows of a list the page shows, by the list's parameter. Returns a function that forgets it. */
export function noteRows(list: string, count: number) {
  counts.set(list, count)
  return () => void counts.delete(list)
}

/** Headers for loading lists again with as many rows as are shown: other people's changes must not shorten them. */
export const keepingRows = () => ({
  'x-rows': String(new URLSearchParams(Array.from(counts, ([list, count]) => [list, String(count)]))),
})
