import type { ResolvedComponent } from '@inertiajs/react'
import { loadSignedIn } from './visits/load-signed-in.ts'

const guests = import.meta.glob<ResolvedComponent>(
  ['./{auth,home,identity,invitations}/**/*.page.tsx', '!./auth/second-factor.page.tsx'],
  { import: 'default', eager: true },
)

export async function resolvePage(name: string, page?: { url: string }): Promise<ResolvedComponent> {
  const file = `./${name}.page.tsx`
  const component = guests[file] ?? (await loadSignedIn().catch(() => loadAnew(page))).pages[file]
  if (!component) throw new Error(`There is no page ${name}`)
  return component
}

/** After a deployment, the other bundle may be gone. A new document names the new one. */
function loadAnew(page: { url: string } | undefined) {
  location.assign(page?.url ?? location.href)
  return new Promise<never>(() => {})
}
