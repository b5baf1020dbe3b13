/**
 * All recorded activities by name, with their data. Each feature declares its own by declaration merging. Everything
 * besides the ids of `OfUser` and `OfAccount` becomes details, which may contain ids and names only: no addresses,
 * tokens or other secrets.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Activities {}

export type ActivityType = keyof Activities & string

/** Concerns a user, who is the actor by default. A null actor is unknown. */
export type OfUser<Details = unknown> = Details & { userId: number; actorId?: number | null; accountId?: never }

/** Concerns an account, and possibly one of its members. */
export type OfAccount<Details = unknown> = Details & { accountId: number; actorId: number | null; userId?: number }
