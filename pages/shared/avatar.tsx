/** The initials of a person or an account in a tile, always in the same tint for the same name. */
export function Avatar({ name, round = false }: { name: string; round?: boolean }) {
  return (
    <span className="avatar" data-tint={tintOf(name)} data-round={round} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

/** What a person calls a letter may be many: an emoji with its colour and profession, a letter with its accent. */
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

function initialsOf(name: string) {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : ''].map(firstLetter).join('').toUpperCase()
}

function firstLetter(word = '') {
  for (const { segment } of letters.segment(word)) return segment
  return ''
}

const tints = 5
const tintOf = (name: string) => [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tints
