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

/** A page's chunk is missing even after a reload, and people were told. */
export class MissingPage extends Error {}

/**
 * For a page whose chunk no longer exists, as after a deployment: reloads the document, which names the current files.
 * Throws MissingPage if that has not helped, so that the pages of other links are still shown.
 */
export function loadAfresh(page: { url: string } | undefined, { isFirst }: { isFirst: boolean }): Promise<never> {
  const url = page?.url ?? location.href
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
    throw new MissingPage(url)
  }
  return new Promise(() => {}) // keep the current page until then
}
