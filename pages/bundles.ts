import type { Page } from '@inertiajs/core'
import type { ResolvedComponent } from '@inertiajs/react'
import { loadSignedIn } from './load-signed-in.ts'
import { keepFlash } from './visits/initial-page.ts'

type Reloadable = Pick<Page, 'url' | 'flash'>

const guests = import.meta.glob<ResolvedComponent>(
  ['./{auth,home,identity,invitations}/**/*.page.tsx', '!./auth/second-factor.page.tsx'],
  { import: 'default', eager: true },
)

export async function resolvePage(name: string, page?: Reloadable): Promise<ResolvedComponent> {
  const file = `./${name}.page.tsx`
  const component = guests[file] ?? (await loadPage(file).catch(() => loadAnew(page)))
  if (!component) throw new Error(`There is no page ${name}`)
  return component
}

async function loadPage(file: string) {
  const { pages, rarePages } = await loadSignedIn()
  return pages[file] ?? rarePages[file]?.()
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
