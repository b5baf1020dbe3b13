import { lazily } from '../words/lazily.ts'

/** Initials of a person or account in a tile. The tint depends on the name only. */
export function Avatar({ name, round = false }: { name: string; round?: boolean }) {
  return (
    <span className="avatar" data-tint={tintOf(name)} data-round={round} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

/** Splits by grapheme: an emoji or an accented letter may consist of several code points. */
const letters = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))
const latin = /^[ -~À-ɏ]*$/ // each letter is one code unit

function initialsOf(name: string) {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : ''].map(firstLetter).join('').toUpperCase()
}

function firstLetter(word = '') {
  if (latin.test(word)) return word.charAt(0)
  for (const { segment } of letters().segment(word)) return segment
  return ''
}

const tints = 5
const tintOf = (name: string) => [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tints
