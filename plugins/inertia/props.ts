import type { ScrollPage } from './pages.ts'

export type Timing = 'first' | 'later'

export type Compute<T> = () => T | Promise<T>

/** A value, a closure that runs only when its value is sent, or another kind, whose traits it keeps. */
export type Source<T, A extends Timing = Timing> = T | Compute<T> | Prop<T, A>

export class Prop<out T, out A extends Timing> {
  declare readonly value: T
  declare readonly timing: A

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
  readonly at: readonly string[]
  readonly matchOn: readonly string[]
  // Declared as a method, because only bivariance lets it take the type that its own prop resolves to.
  page(value: unknown): ScrollPage
}

export interface MergeOptions {
  at?: string | string[]
  matchOn?: string | string[]
}

export interface OnceOptions {
  /** The client asks again when the key changes. Must not contain a comma. */
  key?: string
  expiresInMs?: number
  fresh?: boolean
}

export interface ScrollOptions<T> {
  page: (value: T) => ScrollPage
  pageName?: string
  wrapper?: string
  matchOn?: string | string[]
}

export const always = <T>(source: T | Compute<T>) => new Prop<T, 'first'>(source, { delivery: 'always' })

/** Sent only if a partial reload asks for it. */
export const optional = <T>(source: Source<T>) => new Prop<T, 'later'>(source, { delivery: 'optional' })

/** Loaded by the client in a second request, after the page is shown. */
export const defer = <T>(
  source: Source<T>,
  { group = 'default', rescue = false }: Pick<Traits, 'group' | 'rescue'> = {},
) => new Prop<T, 'later'>(source, { delivery: 'deferred', group, rescue })

export const merge = merging('mergeProps')

export const prepend = merging('prependProps')

export const deepMerge = merging('deepMergeProps')

/** Sent once. The client keeps the value across pages until it expires or its key changes. */
export const once = <T, A extends Timing = 'first'>(source: Source<T, A>, options: OnceOptions = {}) =>
  new Prop<T, A>(source, { once: options })

/** A list that grows in both directions as the reader scrolls. */
export const scroll = <T, A extends Timing = 'first'>(
  source: Source<T, A>,
  { page, pageName = 'page', wrapper = 'data', matchOn }: ScrollOptions<T>,
) => new Prop<T, A>(source, { scroll: { page, pageName, at: list(wrapper || undefined), matchOn: list(matchOn) } })

function merging(into: Merging['into']) {
  return <T, A extends Timing = 'first'>(source: Source<T, A>, { at, matchOn }: MergeOptions = {}) =>
    new Prop<T, A>(source, { merges: [{ into, at: list(at), matchOn: list(matchOn) }] })
}

const list = (names: string | string[] | undefined) => (names === undefined ? [] : [names].flat())

const combine = (inner: Traits, outer: Traits): Traits => ({
  ...inner,
  ...outer,
  merges: [...(inner.merges ?? []), ...(outer.merges ?? [])],
})
