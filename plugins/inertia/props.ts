import type { ScrollPage } from './pages.ts'

/** Whether the first visit to a page carries the prop, or leaves it to a later request. */
export type Arrival = 'first' | 'later'

export type Compute<T> = () => T | Promise<T>

/** What a prop kind is made of: a value, a closure that runs only when the value is sent, or another kind, whose traits it keeps. */
export type Source<T, A extends Arrival = Arrival> = T | Compute<T> | Prop<T, A>

export class Prop<out T, out A extends Arrival> {
  /** Both exist for the compiler only: they hold a prop to what its page declares. */
  declare readonly value: T
  declare readonly arrival: A

  readonly source: unknown
  readonly traits: Traits

  constructor(source: unknown, traits: Traits) {
    this.source = source instanceof Prop ? source.source : source
    this.traits = source instanceof Prop ? combine(source.traits, traits) : traits
  }
}

export interface Traits {
  readonly delivery?: 'always' | 'optional' | 'deferred'
  readonly group?: string
  readonly rescue?: boolean
  readonly merges?: readonly Merging[]
  readonly once?: OnceOptions
  readonly scroll?: Scrolling
}

export interface Merging {
  readonly into: 'mergeProps' | 'prependProps' | 'deepMergeProps'
  readonly at: readonly string[]
  readonly matchOn: readonly string[]
}

export interface Scrolling {
  readonly pageName: string
  readonly wrapper: string
  readonly matchOn: readonly string[]
  // A method, for it takes the very value that its own prop resolves to, which no type here can tell.
  page(value: unknown): ScrollPage
}

export interface DeferOptions {
  /** Props of one group come in one request. */
  group?: string
  /** A failure is logged and leaves the prop out, instead of failing the request. */
  rescue?: boolean
}

export interface MergeOptions {
  /** Paths inside the value; without any the value itself is merged. */
  at?: string | string[]
  /** The field by which an item replaces its older self. */
  matchOn?: string | string[]
}

export interface OnceOptions {
  /** Under another key the client asks again; it may contain no comma. */
  key?: string
  expiresInMs?: number
}

export interface ScrollOptions<T> {
  /** Reads from the value where the list stands. */
  page: (value: T) => ScrollPage
  /** The query parameter that asks for another page of the list. */
  pageName?: string
  /** Where in the value the items are; empty when the value is the list. */
  wrapper?: string
  matchOn?: string | string[]
}

/** Sent even when a partial reload did not ask for it. */
export const always = <T>(source: T | Compute<T>) => new Prop<T, 'first'>(source, { delivery: 'always' })

/** Sent only when a partial reload asks for it. */
export const optional = <T>(source: Source<T>) => new Prop<T, 'later'>(source, { delivery: 'optional' })

/** Loaded by the client in a second request, once the page is shown. */
export const defer = <T>(source: Source<T>, { group = 'default', rescue = false }: DeferOptions = {}) =>
  new Prop<T, 'later'>(source, { delivery: 'deferred', group, rescue })

/** Appended to what the client has, on partial reloads. */
export const merge = <T, A extends Arrival = 'first'>(source: Source<T, A>, options?: MergeOptions) =>
  new Prop<T, A>(source, { merges: [merging('mergeProps', options)] })

/** As `merge`, but put before what the client has. */
export const prepend = <T, A extends Arrival = 'first'>(source: Source<T, A>, options?: MergeOptions) =>
  new Prop<T, A>(source, { merges: [merging('prependProps', options)] })

/** As `merge`, at every depth of the value. */
export const deepMerge = <T, A extends Arrival = 'first'>(
  source: Source<T, A>,
  options?: Pick<MergeOptions, 'matchOn'>,
) => new Prop<T, A>(source, { merges: [merging('deepMergeProps', options)] })

/** Sent once; the client keeps the value from page to page until it expires or its key changes. */
export const once = <T, A extends Arrival = 'first'>(source: Source<T, A>, options: OnceOptions = {}) =>
  new Prop<T, A>(source, { once: options })

/** A list that grows in both directions as the reader scrolls. */
export const scroll = <T, A extends Arrival = 'first'>(
  source: Source<T, A>,
  { page, pageName = 'page', wrapper = 'data', matchOn }: ScrollOptions<T>,
) => new Prop<T, A>(source, { scroll: { page, pageName, wrapper, matchOn: list(matchOn) } })

const merging = (into: Merging['into'], { at, matchOn }: MergeOptions = {}): Merging => ({
  into,
  at: list(at),
  matchOn: list(matchOn),
})

const list = (given: string | string[] | undefined) => (given === undefined ? [] : [given].flat())

const combine = (inner: Traits, outer: Traits): Traits => ({
  ...inner,
  ...outer,
  merges: [...(inner.merges ?? []), ...(outer.merges ?? [])],
})
