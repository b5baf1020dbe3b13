import { showAlert } from '../visits/alerts.ts'
import { toast } from '../visits/flashes.ts'
import { t } from '../words/t.ts'

/** Copies a text and says so, or says what else one can do. */
export async function copyOrSay(text: string, done: string) {
  if (await copyText(text)) return toast(done)
  showAlert({ text: t("This browser doesn't let us copy. Select and copy the text yourself.") })
}

/** Returns false if the browser does not allow it. */
async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text) // not permitted, or no clipboard: browsers have one in secure contexts only
  }
}

function copyBySelection(text: string) {
  const focused = document.activeElement
  const area = Object.assign(document.createElement('textarea'), { value: text, className: 'visually-hidden' })
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
