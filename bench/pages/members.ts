import postgres from 'postgres'
import { compare } from '../lib/load.ts'
import { queriesOf } from '../lib/queries.ts'
import { limitRow, type Row } from '../lib/table.ts'
import type { Person } from '../lib/visitor.ts'

/** The first page of a member list as an Inertia visit, with ten thousand members compared with ten. */
export async function benchMembers(application: string, databaseUrl: string, person: Person): Promise<Row[]> {
  await seed(databaseUrl, person, { ten: 10, 'ten-thousand': 10_000 })
  const headers = { cookie: person.cookie, 'x-inertia': 'true', 'x-requested-with': 'XMLHttpRequest' }
  const { headers: answered } = await fetch(`${application}/ten/members`, { headers })
  const load = (slug: string) => ({
    url: `${application}/${slug}/members`,
    headers: { ...headers, 'x-inertia-version': answered.get('x-inertia-version') ?? '' },
    status: 200,
  })
  const many = load('ten-thousand')
  const { ratio } = await compare(many, load('ten'))
  await fetch(many.url, { headers: many.headers }) // which also makes it the last-used account
  const queries = queriesOf(await fetch(many.url, { headers: many.headers }))
  return [
    limitRow('GET /{slug}/members of 10,000, of the time for 10', 1 / ratio, { unit: '×', target: 1.5, digits: 2 }),
    limitRow('GET /{slug}/members, queries', queries, { unit: 'queries', target: 3 }),
  ]
}

/** Creates accounts of these sizes that include this person. */
async function seed(databaseUrl: string, person: Person, sizes: Record<string, number>) {
  const sql = postgres(databaseUrl, { max: 1 })
  for (const [slug, size] of Object.entries(sizes)) {
    await sql`
      with account as (insert into accounts (name, slug) values (${slug}, ${slug}) returning id), person as (
        insert into users (name, email, password_digest)
        select 'Member ' || n, n || ${`@${slug}.example`}, '' from generate_series(2, ${size}::int) n returning id
      )
      insert into memberships (account_id, user_id, role)
      select account.id, users.id, 'owner' from account, users where email = ${person.email}
      union all select account.id, person.id, 'member' from account, person`
  }
  await sql`analyze`
  await sql.end()
}
