import { useEffect, useRef } from 'react'

/** On phones, tabs scroll sideways. The ref of a row of them that keeps the current one in view. */
export function useCurrentInView(here: string | undefined) {
  const row = useRef<HTMLElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    const show = () =>
      row.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
    show()
    // The typeface may come later, and is wider than its stand-in.
    document.fonts.ready.then(show)
  }, [here])

  return row
}
