import { t } from '../words/t.ts'
import { showAlert } from './alerts.ts'
import { keep, kept } from './storage.ts'

const oftenMs = 10_000

declare global {
  interface Window {
    /** Says that the document cannot be shown (pages/first-script.ts). */
    showIncomplete(): void
  }
}

/** A part of the page is missing, such as its menu: after a deployment, or without a connection. */
export const explainMissingPart = () =>
  showAlert({
    text: t('This page could not be loaded completely.'),
    action: { label: t('Reload'), run: () => location.reload() },
  })

/** A page's chunk no longer exists, as after a deployment. `url` is that of the page. */
export class MissingPage extends Error {
  readonly url: string
  constructor(url: string) {
    super('a page is missing')
    this.url = url
  }
}

/** Reloads the document, which names the current files. */
export function loadAfresh({ url }: MissingPage, { isFirst = false } = {}) {
  // Only once, or a chunk that keeps failing would cause endless reloads.
  if (Date.now() - Number(kept('loaded-afresh') ?? 0) > oftenMs) {
    keep('loaded-afresh', Date.now())
    location.assign(url)
  } else if (isFirst) {
    window.showIncomplete() // nothing else could, without React
  } else {
    showAlert({
      text: t('This page could not be loaded.'),
      action: { label: t('Reload'), run: () => location.assign(url) },
    })
  }
}
