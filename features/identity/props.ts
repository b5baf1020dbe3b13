declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'identity/password-reset/new': Record<never, never>
    'identity/password-reset/edit': { sid: string; email: string }
  }
}

export {}
