import { useSyncExternalStore } from 'react'

export type Theme = (typeof themes)[number]
const themes = ['light', 'dark', 'system'] as const

const key = 'theme'
const listeners = new Set<() => void>()

export function useTheme() {
  return [useSyncExternalStore(subscribe, current, () => 'system' as const), choose] as const
}

export function followTheme() {
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) show(themeNamed(event.newValue))
  })
}

function choose(theme: Theme) {
  show(theme)
  try {
    localStorage.setItem(key, theme)
  } catch {
    // If storage is blocked, the choice lasts as long as the document.
  }
}

// The attribute is the state: the script in the head sets it before React runs.
function show(theme: Theme) {
  document.documentElement.dataset.theme = theme
  for (const listener of listeners) listener()
}

const current = () => themeNamed(document.documentElement.dataset.theme)
const themeNamed = (name: string | null | undefined) => themes.find((theme) => theme === name) ?? 'system'

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
