/**
 * Whether a text has more than `most` characters, where an emoji is one. Counts only as far as needed: to take a
 * mebibyte apart into characters takes 20 ms.
 */
export const isLongerThan = (most: number, text: string) => charactersUpTo(most + 1, text) > most

/** Whether a text has fewer than `fewest` characters. */
export const isShorterThan = (fewest: number, text: string) => charactersUpTo(fewest, text) < fewest

// A character takes at most two code units.
const charactersUpTo = (enough: number, text: string) => [...text.slice(0, 2 * enough)].length
