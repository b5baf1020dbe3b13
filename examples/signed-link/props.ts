declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'signed-link/open': { sid: string; invitation: string; return_to: string }
  }
}

export {}
