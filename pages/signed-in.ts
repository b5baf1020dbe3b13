import type { ResolvedComponent } from '@inertiajs/react'

export const pages = import.meta.glob<ResolvedComponent>(
  ['./*/**/*.page.tsx', '!./{home,identity,invitations}/**', '!./auth/{provider,sign-in,sign-up}.page.tsx'],
  { import: 'default', eager: true },
)
