import { remember } from '../visits/storage.ts'
import { storeOf } from './store.ts'

export type Theme = (typeof themes)[number]
const themes = ['light', 'dark', 'system'] as const

const key = 'theme'

// The attribute is the state: the script in the head sets it before React runs.
const current = () => themeNamed(document.documentElement.dataset.theme)
const themeNamed = (name: string | null | undefined) => themes.find((theme) => theme === name) ?? 'system'
const store = storeOf<Theme>(current, 'system')

export const useTheme = () => [store.use(), choose] as const

export function followTheme() {
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) show(themeNamed(event.newValue))
  })
}

function choose(theme: Theme) {
  show(theme)
  remember(key, theme)
}

function show(theme: Theme) {
  document.documentElement.dataset.theme = theme
  store.changed()
}
