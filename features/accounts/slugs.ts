import transliterate from '@sindresorhus/transliterate'
import { and, gt, inArray, lte, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, deletedSlugs } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'

const maxLength = 40
const yearMs = 365 * 86_400_000

/** Words that have, or may get, another meaning as the first segment of a URL. A test compares them with the routes. */
export const reserved = new Set([
  'accounts',
  'assets',
  'dashboard',
  'dev',
  'identity',
  'invitations',
  'join',
  'language',
  'live',
  'pictures',
  'sessions',
  'settings',
  'sign_in',
  'sign_up',
  'up',
  'users',
  'about',
  'admin',
  'api',
  'edit',
  'favicon',
  'help',
  'icon',
  'login',
  'logout',
  'new',
  'robots',
  'signup',
  'static',
])

/** What knows the slugs of deleted accounts, of which only keyed digests are stored. */
export type SlugTools = Pick<FastifyInstance, 'tokens' | 'now'>

/** Turns a name into a URL segment: 3 to 40 characters of a-z, 0-9 and `-`. */
export function slugify(name: string) {
  const words = transliterate(name).toLowerCase()
  const slug = trim(words.replace(/[^a-z0-9]+/g, '-'))
  if (slug === '') return 'account'
  return slug.length < 3 ? `${slug}-account` : slug
}

/**
 * The first slug for a name that this user may have: `acme`, `acme-2`, `acme-3`, … It may be taken before it is
 * inserted.
 */
export async function freeSlug(app: SlugTools, tx: Tx, name: string, userId: number) {
  const base = slugify(name)
  // The window doubles, so the thousandth "John Smith" takes ten queries instead of a thousand.
  for (let from = 1, size = 8; ; from += size, size *= 2) {
    const candidates = Array.from({ length: size }, (_, index) => numbered(base, from + index))
    const taken = await takenOf(app, tx, candidates, userId)
    const free = candidates.find((slug) => !taken(slug) && !reserved.has(slug))
    if (free) return free
  }
}

/** In one statement: between two, an account could be deleted, and neither would find its slug. */
async function takenOf({ tokens, now }: SlugTools, tx: Tx, slugs: string[], userId: number) {
  const digestsOf = (slug: string) => tokens.deriveWithEachKey('slug', slug)
  const isAnothers = sql`${deletedSlugs.userId} is distinct from ${userId}::bigint`
  const isKept = and(inArray(deletedSlugs.digest, slugs.flatMap(digestsOf)), isAnothers, gt(...keptSince(now)))
  const used = tx.select({ found: accounts.slug }).from(accounts).where(inArray(accounts.slug, slugs))
  const rows = await used.union(tx.select({ found: deletedSlugs.digest }).from(deletedSlugs).where(isKept))
  const found = new Set(rows.map((row) => row.found))
  return (slug: string) => [slug, ...digestsOf(slug)].some((value) => found.has(value))
}

/**
 * Links, scripts and providers still lead to a deleted account, so nobody but the user who deleted it gets its slug
 * for a year. Without a user, nobody gets it.
 */
export async function keepSlugs({ tokens, now }: SlugTools, tx: Tx, slugs: string[], userId: number | null) {
  const rows = slugs.map((slug) => ({ digest: tokens.derive('slug', slug), userId, createdAt: now() }))
  if (rows.length === 0) return
  const set = { userId, createdAt: now() }
  await tx.insert(deletedSlugs).values(rows).onConflictDoUpdate({ target: deletedSlugs.digest, set })
}

export const isFreeAgain = (now: () => Date) => lte(...keptSince(now))

const keptSince = (now: () => Date) => [deletedSlugs.createdAt, new Date(now().getTime() - yearMs)] as const

function numbered(base: string, number: number) {
  if (number === 1) return base
  const suffix = `-${number}`
  return trim(base.slice(0, maxLength - suffix.length)) + suffix
}

const trim = (words: string) => words.replace(/^-/, '').slice(0, maxLength).replace(/-$/, '')
