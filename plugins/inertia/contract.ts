import type { PageName, Pages, SharedProps } from './pages.ts'
import type { Compute, Prop, Timing } from './props.ts'

export type DeclaredProps<Name extends PageName> = Pages[Name] & Partial<Omit<SharedProps, keyof Pages[Name]>>

/** What a handler may pass for declared props. Optional keys also accept kinds that arrive later. */
export type HandlerProps<Props> = { [Key in keyof Props]: HandlerProp<Props, Key> }

export type Sharing<Name extends SharedName> = HandlerProp<SharedProps, Name>

export type SharedName = keyof SharedProps & string

type HandlerProp<Props, Key extends keyof Props> =
  | Props[Key]
  | Compute<Props[Key]>
  | Prop<Props[Key], Record<never, never> extends Pick<Props, Key> ? Timing : 'first'>
  | Nested<Props[Key]>

type Nested<T> = T extends Scalar | readonly unknown[] ? never : HandlerProps<T>

/**
 * Rejects undeclared keys at any depth. Structural typing alone would send a whole database row where a page declares
 * a few of its columns.
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

type KeyOf<W> = W extends unknown ? keyof W : never
type Field<W, Key> = W extends unknown ? (Key extends keyof W ? W[Key] : never) : never
type ItemOf<W> = W extends readonly (infer Item)[] ? Item : never
