import type { ResolvedComponent } from '@inertiajs/react'
import { byName } from './names.ts'

export const pages = byName(
  import.meta.glob<ResolvedComponent>(['./**/*.page.tsx', '!./**/*.{guest,rare}.page.tsx'], {
    import: 'default',
    eager: true,
  }),
)

/** Loaded one by one, since hardly anybody sees them. */
export const rarePages = byName(import.meta.glob<ResolvedComponent>('./**/*.rare.page.tsx', { import: 'default' }))
