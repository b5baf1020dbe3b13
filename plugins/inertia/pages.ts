import type { FastifyReply, FastifyRequest } from 'fastify'

/** The contract between server and browser: every page and its props. Features extend it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Pages {}

/** Props that every page receives in addition to its own. Features extend it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface SharedProps {}

export type PageName = keyof Pages & string

/**
 * What options add to pages of others: by the name of the option, props by the name of the page. Options extend it by
 * declaration merging, and `app.addProps` delivers what they declare. An option that is off delivers nothing.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface PageParts {}

type PartsOn<Name, Option> = Option extends keyof PageParts ? Get<PageParts[Option], Name> : never
type Get<Parts, Name> = Name extends keyof Parts ? Parts[Name] : never
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** All that options add to a page. */
export type AddedProps<Name extends PageName> = Intersection<PartsOn<Name, keyof PageParts>>

/** What a page gets itself takes the place of what all pages get by the same name. */
export type PageProps<Name extends PageName> = Pages[Name] &
  Partial<AddedProps<Name>> &
  Omit<SharedProps, keyof Pages[Name]> & { errors: Errors }

export type Errors = Record<string, string[]>

/** Messages shown once and not kept in the history. Features extend it by declaration merging. */
export interface Flash {
  notice?: string
  alert?: string
}

export interface FlashState extends Pick<Flash, 'notice' | 'alert'> {
  errors?: Errors
  clearHistory?: true
  preserveFragment?: true
}

/** Where that state is kept. `clear` is called once a page that delivers what `read` returned has been rendered. */
export interface FlashStore {
  read(request: FastifyRequest): FlashState | undefined
  clear(request: FastifyRequest, reply: FastifyReply): void
}

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

/** Position in a list with infinite scrolling. Null at either end. */
export interface ScrollPage {
  currentPage: number | string | null
  previousPage: number | string | null
  nextPage: number | string | null
}

export type Document = (reply: FastifyReply, rendered: Rendered, component: string) => string

export interface Rendered {
  head: string[]
  body: string
}
