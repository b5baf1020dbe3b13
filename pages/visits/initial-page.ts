import { getInitialPageFromDOM, type Page, type PageProps, type SharedPageProps } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import { forget, keep, kept } from './storage.ts'

const unseenFlash = 'flash'

/** For the next document, when a page arrived but cannot be shown: the server sends a flash once. */
export const keepFlash = (flash: Page['flash']) => keep(unseenFlash, flash)

/**
 * The document's page. Without a secure context (plain HTTP on anything but localhost), browsers offer no cryptography,
 * so the history stays unencrypted. Otherwise, the client would wait for it forever and never show another page.
 */
export function initialPage() {
  const page = getInitialPageFromDOM<Page<PageProps & SharedPageProps>>('app') ?? undefined
  if (page) page.flash = { ...JSON.parse(kept(unseenFlash) ?? '{}'), ...page.flash }
  forget(unseenFlash)
  if (window.isSecureContext) return page

  router.on('beforeUpdate', ({ detail }) => {
    detail.page.encryptHistory = false
  })
  return page && { ...page, encryptHistory: false }
}
