import { lettersOf } from '../words/letters.ts'

const longest = 80 // letters

/** A name within a sentence, with its own text direction. A long one is cut, so that the rest can still be read. */
export function Name({ children }: { children: string | null | undefined }) {
  const name = children ?? ''
  const letters = name.length > longest ? lettersOf(name) : []
  if (letters.length <= longest) return <bdi>{name}</bdi>
  return <bdi title={name}>{letters.slice(0, longest).join('')}…</bdi>
}
