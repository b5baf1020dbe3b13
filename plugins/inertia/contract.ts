import type { PageName, Pages, SharedProps } from './pages.ts'
import type { Arrival, Compute, Prop } from './props.ts'

/** What a page declares, and the shared props that it may override. */
export type Wanted<Name extends PageName> = Pages[Name] & Partial<SharedProps>

/** What may be given for props that are wanted: a value or a kind that the first visit carries; for a key that may be absent also one that comes later. */
export type Given<Props> = { [Key in keyof Props]: GivenFor<Props, Key> }

/** The same for one prop of all pages. */
export type Sharing<Name extends SharedName> = GivenFor<SharedProps, Name>

export type SharedName = keyof SharedProps & string

type GivenFor<Props, Key extends keyof Props> =
  | Props[Key]
  | Compute<Props[Key]>
  | Prop<Props[Key], Record<never, never> extends Pick<Props, Key> ? Arrival : 'first'>
  | Nested<Props[Key]>

type Nested<T> = T extends Scalar | readonly unknown[] ? never : Given<T>

/**
 * Refuses what is not declared, however deep it lies and whatever it comes through. Structural typing alone would let a
 * database row pass wherever a page wants a few of its columns, and send the rest to the browser.
 */
export type Exact<G, W> = unknown extends W
  ? G
  : G extends Prop<infer T, infer A>
    ? Prop<Exact<T, W>, A>
    : G extends () => infer R
      ? Compute<Exact<Awaited<R>, W>>
      : G extends Scalar
        ? G
        : G extends readonly (infer Item)[]
          ? readonly Exact<Item, ItemOf<W>>[]
          : { [Key in keyof G]: Key extends KeyOf<W> ? Exact<G[Key], Field<W, Key>> : never }

type Scalar = string | number | boolean | null | undefined

// Over a union `keyof` knows only the keys that all members share.
type KeyOf<W> = W extends unknown ? keyof W : never
type Field<W, Key> = W extends unknown ? (Key extends keyof W ? W[Key] : never) : never
type ItemOf<W> = W extends readonly (infer Item)[] ? Item : never
