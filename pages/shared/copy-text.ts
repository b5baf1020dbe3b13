import { showAlert } from '../visits/alerts.ts'
import { toast } from '../visits/flashes.ts'
import { t } from '../words/t.ts'

export async function copyOrSay(text: string, done: string) {
  try {
    await navigator.clipboard.writeText(text)
    await toast(done)
  } catch {
    // Not permitted, or there is no clipboard: browsers have one in secure contexts only.
    showAlert({ text: t("This browser doesn't let us copy. Select and copy the text yourself.") })
  }
}
