/** Another site that people can sign in with, and what its button is called. */
export type Offer = { id: string; name: string }
