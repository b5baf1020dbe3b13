import { showAlert } from './alerts.ts'
import { keep, kept } from './storage.ts'

const often = 10_000 // milliseconds

/** For a page whose file is gone, as after a deployment: loads its document, which names the files of today. */
export function loadAfresh(page: { url: string } | undefined): Promise<never> {
  const url = page?.url ?? location.href
  // Once: a server that keeps the file from us would be asked for ever.
  if (Date.now() - Number(kept('loaded-afresh') ?? 0) > often) {
    keep('loaded-afresh', Date.now())
    location.assign(url)
  } else {
    showAlert({ text: 'This page could not be loaded.', action: { label: 'Reload', run: () => location.assign(url) } })
  }
  return new Promise(() => {}) // the page that is shown stays until then
}
