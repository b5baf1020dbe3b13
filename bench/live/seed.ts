import { sign } from '@fastify/cookie'
import { sql } from 'drizzle-orm'
import type { Database } from '../../plugins/database/index.ts'
import { csrfMac } from '../../plugins/security/csrf.ts'
import { keyRing } from '../../plugins/security/keys.ts'
import { bareSecret } from '../lib/bare-secret.ts'

export const accounts = 500
export const people = 9_000 // each may take two descriptors of the application, of which many systems allow 20,000

/**
 * Account slugs: many small ones, each person being in one of them, plus one with a thousand members and one with
 * everyone.
 */
export const small = (person: number) => `small-${person % accounts}`
export const [thousand, everybody] = ['a-thousand', 'everybody']

/** Inserts people, sessions and accounts directly: by requests it would take half an hour. */
export async function seed(db: Database) {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`)
    await tx.execute(sql`
      with person as (
        insert into users (name, email, verified, password_digest)
        select 'Person ' || n, 'person-' || n || '@example.com', true, '' from generate_series(0, ${people - 1}) n
        returning id, name, split_part(name, ' ', 2)::int as n
      ), account as (
        insert into accounts (name, slug)
        select slug, slug from unnest(
          array(select 'small-' || n from generate_series(0, ${accounts - 1}) n) || array[${thousand}, ${everybody}]
        ) slug
        returning id, slug
      ), session as (
        insert into sessions (token, user_id, user_agent, ip_address) select 'session-' || n, id, '', '' from person
      )
      insert into memberships (account_id, user_id, role)
      select account.id, person.id, 'member' from person join account
        on slug = 'small-' || n % ${accounts} or slug = ${everybody} or (slug = ${thousand} and n < 1000)`)
  })
  await db.execute(sql`analyze`)
  const rows = await db.execute<{ id: string; slug: string }>(sql`select id, slug from accounts`)
  return new Map(rows.map(({ id, slug }) => [slug, Number(id)]))
}

/** What the bare routes take for the n-th person's browser. They check no CSRF token. */
export const bareBrowser = (person: number) => ({
  cookie: `session_token=${encodeURIComponent(sign(`session-${person}`, bareSecret))}`,
  csrf: 'a token as long as one of the application, though unread',
})

/** The cookies of the n-th person's browser, and the matching CSRF token. */
export function browserOf(person: number, secretKeyBase: string) {
  const keys = keyRing(secretKeyBase)
  const secret = keys('cookies')[0].export().toString('base64')
  const cookieOf = (name: string, value: string) =>
    `${name}=${encodeURIComponent(sign(`${name}=${value}`, secret).slice(name.length + 1))}`
  const session = `session-${person}`
  return {
    cookie: `${cookieOf('csrf_secret', 'secret')}; ${cookieOf('session_token', session)}`,
    csrf: csrfMac(keys('csrf')[0], `secret.${session}`),
  }
}
