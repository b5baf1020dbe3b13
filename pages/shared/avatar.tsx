import { useState } from 'react'
import { lettersOf } from '../words/letters.ts'

type Props = { name: string; picture?: string | null | undefined; round?: boolean; alt?: string }

/**
 * The picture of a person or account, or else initials in a tile whose tint depends on the name only. `alt` is for
 * places where the name does not stand beside it.
 */
export function Avatar({ name, picture, round = false, alt = '' }: Props) {
  const [lost, setLost] = useState<string>() // another picture has taken its place since the page was sent

  if (picture && picture !== lost) {
    return (
      <img
        className="avatar"
        data-round={round}
        src={picture}
        alt={alt}
        width={256}
        height={256}
        decoding="async"
        // It may have failed before React was there to be told.
        ref={(image) => void (image?.complete && image.naturalWidth === 0 && setLost(picture))}
        onError={() => setLost(picture)}
      />
    )
  }
  return (
    <span
      className="avatar"
      data-tint={tintOf(name)}
      data-round={round}
      {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
    >
      {initialsOf(name)}
    </span>
  )
}

const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u
const latin = /^[ -~À-ɏ]*$/ // each letter is one code unit

function initialsOf(name: string) {
  const words = name.trim().split(/\s+/)
  const first = firstLetter(words[0])
  if (emoji.test(first)) return first // two are too wide
  return [words[0], words.length > 1 ? words.at(-1) : ''].map(firstLetter).join('').toUpperCase()
}

function firstLetter(word = '') {
  return latin.test(word) ? word.charAt(0) : (lettersOf(word)[0] ?? '')
}

const tints = 5
const tintOf = (name: string) => [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tints
