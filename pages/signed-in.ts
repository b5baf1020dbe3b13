import type { ResolvedComponent } from '@inertiajs/react'
import { byName } from './names.ts'

export const pages = byName(
  import.meta.glob<ResolvedComponent>(['./**/*.page.tsx', '!./**/*.{guest,rare}.page.tsx'], {
    import: 'default',
    eager: true,
  }),
)
