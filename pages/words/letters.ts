import { lazily } from './lazily.ts'

const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

/** What a reader takes for one letter: an emoji or an accented letter may consist of several code points. */
export const lettersOf = (text: string) => Array.from(segmenter().segment(text), ({ segment }) => segment)
