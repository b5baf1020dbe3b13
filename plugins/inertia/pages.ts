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
