/** Copies a text. Returns false if the browser does not allow it. */
export async function copyText(text: string) {
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
