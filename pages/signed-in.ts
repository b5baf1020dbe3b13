import type { ResolvedComponent } from '@inertiajs/react'

export const pages = import.meta.glob<ResolvedComponent>(
  [
    './*/**/*.page.tsx',
    '!./{home,identity,invitations,operators}/**',
    '!./auth/{provider,sign-in,sign-up}.page.tsx',
    '!./accounts/sso.page.tsx',
  ],
  { import: 'default', eager: true },
)

/** Loaded one by one, since hardly anybody sees them. */
export const rarePages = import.meta.glob<ResolvedComponent>(['./operators/*.page.tsx', './accounts/sso.page.tsx'], {
  import: 'default',
})
