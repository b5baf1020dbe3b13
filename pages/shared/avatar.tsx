import { lettersOf } from '../words/letters.ts'

/** Initials of a person or account in a tile. The tint depends on the name only. */
export function Avatar({ name, round = false }: { name: string; round?: boolean }) {
  return (
    <span className="avatar" data-tint={tintOf(name)} data-round={round} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

const latin = /^[ -~À-ɏ]*$/ // each letter is one code unit

function initialsOf(name: string) {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : ''].map(firstLetter).join('').toUpperCase()
}

function firstLetter(word = '') {
  return latin.test(word) ? word.charAt(0) : (lettersOf(word)[0] ?? '')
}

const tints = 5
const tintOf = (name: string) => [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tints
