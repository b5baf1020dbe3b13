import { getInitialPageFromDOM, type Page, type PageProps, type SharedPageProps } from '@inertiajs/core'
import { router } from '@inertiajs/react'

/**
 * The page that this document brought. Where browsers offer no cryptography (plain HTTP on any name but localhost) the
 * history stays unencrypted: the client would wait for an encryption that never comes and never show another page.
 */
export function initialPage() {
  const page = getInitialPageFromDOM<Page<PageProps & SharedPageProps>>('app') ?? undefined
  if (window.isSecureContext) return page

  router.on('beforeUpdate', ({ detail }) => {
    detail.page.encryptHistory = false
  })
  return page && { ...page, encryptHistory: false }
}
