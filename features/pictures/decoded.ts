/** What the decoder's process answers, and what it may take. */
export type Decoded = { bytes: Uint8Array }
export type Refusal = 'unreadable' | 'too_many_pixels'

export const maxMemoryBytes = 512 * 1_048_576
