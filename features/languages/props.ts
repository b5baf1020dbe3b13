declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    /** The language that the person chose. Null if the browser decides. */
    'settings/appearance': { language: string | null }
  }
}

export {}
