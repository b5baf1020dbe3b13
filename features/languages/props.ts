/** What the page offers. */
export interface LanguageChoiceProps {
  /** What the person chose. Null if the browser decides. */
  language: string | null
}

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'settings/appearance': LanguageChoiceProps
  }
}
