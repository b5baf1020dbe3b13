declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    /** What the person chose. Null if the browser decides. */
    'settings/appearance': { language: string | null }
  }
}
