import { t } from '../words/t.ts'
import { showAlert } from './alerts.ts'
import { keep, kept } from './storage.ts'

const oftenMs = 10_000

/**
 * For a page whose chunk no longer exists, as after a deployment: reloads the document, which names the current files.
 */
export function loadAfresh(page: { url: string } | undefined): Promise<never> {
  const url = page?.url ?? location.href
  // Only once, or a chunk that keeps failing would cause endless reloads.
  if (Date.now() - Number(kept('loaded-afresh') ?? 0) > oftenMs) {
    keep('loaded-afresh', Date.now())
    location.assign(url)
  } else {
    showAlert({
      text: t('This page could not be loaded.'),
      action: { label: t('Reload'), run: () => location.assign(url) },
    })
  }
  return new Promise(() => {}) // keep the current page until then
}
