import { useState } from 'react'

type Props = {
  /** Of which the tint is made: a person's id, or a workspace's name, which is all that an invitation knows of it. */
  of: string | number
  name: string
  picture?: string | null | undefined
  round?: boolean
  alt?: string
}

/**
 * The picture of a person or account, or else initials in a tinted tile. `alt` is for places where the name is not
 * beside it.
 */
export function Avatar({ of, name, picture, round = false, alt = '' }: Props) {
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
      style={{ background: tintOf(String(of)) }}
      data-round={round}
      {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
    >
      {initialsOf(name)}
    </span>
  )
}

// Letters of these scripts would join, and read as another word.
const joining = /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}]/u

function initialsOf(name: string) {
  const letters = name.split(/\s+/).flatMap((word) => word.match(/\p{L}\p{M}*/u) ?? [])
  const [first = '', last = ''] = [letters[0], letters.length > 1 ? letters.at(-1) : '']
  return joining.test(first) || joining.test(last) ? first : `${first}${last}`.toUpperCase()
}

const tints = 5
export const tintOf = (of: string) =>
  `var(--tint-${[...of].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tints})`
