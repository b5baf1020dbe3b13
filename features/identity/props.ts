declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'identity/email-change': { sid: string; email: string }
    'identity/not-mine': { sid: string; email: string }
    'identity/password-reset/new': { invitation?: string }
    'identity/password-reset/edit': { sid: string; email: string }
  }
}

export {}
