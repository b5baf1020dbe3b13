import type { GuestFeature } from './feature.ts'

/** What options show to guests, in the order in which pages show it. It is in the script of every page. */
export const guestFeatures: GuestFeature[] = []
