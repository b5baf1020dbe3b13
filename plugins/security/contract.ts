// Filled by features, by declaration merging. A file of its own, since pages may import nothing but types.

/** The second factors that a person can prove, by name. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Provable {}

/** Props of the page of security settings. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface SecurityProps {}

/** Another site that people can sign in with, and what its button is called. */
export type Offer = { id: string; name: string }
