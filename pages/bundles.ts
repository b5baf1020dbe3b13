import type { Page } from '@inertiajs/core'
import type { ResolvedComponent } from '@inertiajs/react'
import { loadSignedIn } from './load-signed-in.ts'
import { byName } from './names.ts'
import { keepFlash } from './visits/initial-page.ts'

type Reloadable = Pick<Page, 'url' | 'flash'>

const guests = byName(import.meta.glob<ResolvedComponent>('./**/*.guest.page.tsx', { import: 'default', eager: true }))
/** Loaded one by one, since hardly anybody sees them. */
const rarePages = byName(import.meta.glob<ResolvedComponent>('./**/*.rare.page.tsx', { import: 'default' }))

export async function resolvePage(name: string, page?: Reloadable): Promise<ResolvedComponent> {
  const component = guests[name] ?? (await loadPage(name).catch(() => loadAnew(page)))
  if (!component) throw new Error(`There is no page ${name}`)
  return component
}

async function loadPage(name: string) {
  return rarePages[name]?.() ?? (await loadSignedIn()).pages[name]
}

/**
 * After a deployment, the other bundle may be gone: a new document names the new one. A browser may also remember that
 * it failed to load, and not try again in this document.
 */
function loadAnew(page: Reloadable | undefined) {
  if (page) keepFlash(page.flash)
  location.assign(page?.url ?? location.href)
  return new Promise<never>(() => {})
}
