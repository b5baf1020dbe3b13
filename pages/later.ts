import { followTheme } from './hooks/theme.ts'
import { keepFocus } from './shared/keep-focus.ts'

/** What no page needs to be shown, and which therefore is not in the way of the first one. */
export function startLater() {
  keepFocus()
  followTheme()
}
