/** The contract between server and browser: every page by name, with the props it receives. Features add to it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface Pages {}

/** The props that every page receives besides its own. Features add to it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface SharedProps {}

export type PageName = keyof Pages & string

/** What a page component takes. */
export type PageProps<Name extends PageName> = Pages[Name] & SharedProps & { errors: Errors }

/** Messages by field, in the order in which the rules are written. */
export type Errors = Record<string, string[]>

/** What a page says once and is not part of its history. Features add to it by declaration merging. */
export interface Flash {
  notice?: string
  alert?: string
}

/** The page object as it travels; of the optional keys those are absent that have nothing to say. */
export interface Page extends Labels {
  component: string
  props: Record<string, unknown>
  url: string
  version: string
  sharedProps: string[]
  flash: Flash
  encryptHistory?: true
  clearHistory?: true
  preserveFragment?: true
}

/** What the client must know about the props of a page besides their values. */
export interface Labels {
  deferredProps?: Record<string, string[]>
  rescuedProps?: string[]
  mergeProps?: string[]
  prependProps?: string[]
  deepMergeProps?: string[]
  matchPropsOn?: string[]
  scrollProps?: Record<string, ScrollPage & { pageName: string; reset: boolean }>
  onceProps?: Record<string, { prop: string; expiresAt?: number }>
}

/** Where a list that loads as one scrolls stands; null at either end. */
export interface ScrollPage {
  currentPage: number | string | null
  previousPage: number | string | null
  nextPage: number | string | null
}
