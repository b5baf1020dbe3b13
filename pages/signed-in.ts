import type { ResolvedComponent } from '@inertiajs/react'

export { Ask } from './popups/ask.tsx'
export { show as showToast } from './toasts/toaster.tsx'

export const pages = import.meta.glob<ResolvedComponent>(
  ['./*/**/*.page.tsx', '!./{auth,home,identity,invitations}/**'],
  {
    import: 'default',
    eager: true,
  },
)
