import { showAlert } from './alerts.ts'

const key = 'loaded-afresh'
const often = 10_000 // milliseconds

/** For a page whose file is gone, as after a deployment: loads its document, which names the files of today. */
export function loadAfresh(page: { url: string } | undefined): Promise<never> {
  const url = page?.url ?? location.href
  // Once: a server that keeps the file from us would be asked for ever.
  if (Date.now() - lastTime() > often) {
    remember()
    location.assign(url)
  } else {
    showAlert({ text: 'This page could not be loaded.', action: { label: 'Reload', run: () => location.assign(url) } })
  }
  return new Promise(() => {}) // the page that is shown stays until then
}

function lastTime() {
  try {
    return Number(sessionStorage.getItem(key))
  } catch {
    return Date.now()
  }
}

const remember = () => sessionStorage.setItem(key, String(Date.now()))
