import { getInitialPageFromDOM, type Page, type PageProps, type SharedPageProps } from '@inertiajs/core'
import { router } from '@inertiajs/react'

/**
 * The document's page. Without a secure context (plain HTTP on anything but localhost), browsers offer no cryptography,
 * so the history stays unencrypted. Otherwise, the client would wait for it forever and never show another page.
 */
export function initialPage() {
  const page = getInitialPageFromDOM<Page<PageProps & SharedPageProps>>('app') ?? undefined
  if (window.isSecureContext) return page

  router.on('beforeUpdate', ({ detail }) => {
    detail.page.encryptHistory = false
  })
  return page && { ...page, encryptHistory: false }
}
