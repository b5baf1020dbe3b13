import transliterate from '@sindresorhus/transliterate'
import { inArray } from 'drizzle-orm'
import { accounts } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'

const maxLength = 40

/** Words that have, or may get, another meaning as the first segment of a URL. A test compares them with the routes. */
export const reserved = new Set([
  ...'accounts assets dashboard dev identity invitations language live pictures sessions settings'.split(' '),
  ...'sign_in sign_up up users'.split(' '),
  ...'about admin api edit favicon help icon login logout new robots signup static'.split(' '),
])

/** Turns a name into a URL segment: 3 to 40 characters of a-z, 0-9 and `-`. */
export function slugify(name: string) {
  const words = transliterate(name).toLowerCase()
  const slug = trim(words.replace(/[^a-z0-9]+/g, '-'))
  if (slug === '') return 'account'
  return slug.length < 3 ? `${slug}-account` : slug
}

/** The first free slug for a name: `acme`, `acme-2`, `acme-3`, … It may be taken before it is inserted. */
export async function freeSlug(tx: Tx, name: string) {
  const base = slugify(name)
  // The window doubles, so the thousandth "John Smith" takes ten queries instead of a thousand.
  for (let from = 1, size = 8; ; from += size, size *= 2) {
    const candidates = Array.from({ length: size }, (_, index) => numbered(base, from + index))
    const rows = await tx.select({ slug: accounts.slug }).from(accounts).where(inArray(accounts.slug, candidates))
    const taken = new Set(rows.map((row) => row.slug))
    const free = candidates.find((slug) => !taken.has(slug) && !reserved.has(slug))
    if (free) return free
  }
}

function numbered(base: string, number: number) {
  if (number === 1) return base
  const suffix = `-${number}`
  return trim(base.slice(0, maxLength - suffix.length)) + suffix
}

const trim = (words: string) => words.replace(/^-/, '').slice(0, maxLength).replace(/-$/, '')
