import { createElement } from 'react'

const longest = 80 // letters

let segmenter: Intl.Segmenter | undefined // made at its first use, which is rare and takes a phone a while

// What a reader takes for one letter: an emoji or an accented letter may consist of several code points. Firefox knows
// it since 125.
function lettersOf(text: string) {
  if (!('Segmenter' in Intl)) return Array.from(text)
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** A name with its own text direction. A long one is cut, so that what is around it can still be read. */
export function Name({ children }: { children?: string | null | undefined }) {
  const name = children ?? ''
  const letters = name.length > longest ? lettersOf(name) : []
  if (letters.length <= longest) return createElement('bdi', null, name)
  return createElement('bdi', { title: name }, `${letters.slice(0, longest).join('')}…`)
}
