/**
 * Everything that is remembered, by name, with what is said of it: declared by the feature in which it happens, by declaration merging. All but
 * the ids of `OfUser` and `OfAccount` are details, which hold ids and names only: no address, no token, nothing that would have to be kept secret.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface Activities {}

export type ActivityType = keyof Activities & string

/** Happens to a user, by their own doing unless another actor is named; null is nobody that we know. */
export type OfUser<Details = unknown> = Details & { userId: number; actorId?: number | null; accountId?: never }

/** Happens in an account, perhaps to one of its people. */
export type OfAccount<Details = unknown> = Details & { accountId: number; actorId: number | null; userId?: number }
