import postgres from 'postgres'
import { compare } from '../lib/load.ts'
import { limitRow, type Row } from '../lib/table.ts'
import type { Person } from '../lib/visitor.ts'

/** The first page of an account's activity as an Inertia visit, with a million activities compared with ten. */
export async function benchActivity(application: string, databaseUrl: string, person: Person): Promise<Row[]> {
  await seed(databaseUrl, person, { 'few-activities': 10, 'many-activities': 1_000_000 })
  const headers = { cookie: person.cookie, 'x-inertia': 'true', 'x-requested-with': 'XMLHttpRequest' }
  const { headers: answered } = await fetch(`${application}/few-activities/activity`, { headers })
  const load = (slug: string) => ({
    url: `${application}/${slug}/activity`,
    headers: { ...headers, 'x-inertia-version': answered.get('x-inertia-version') ?? '' },
    status: 200,
  })
  const { ratio } = await compare(load('many-activities'), load('few-activities'))
  const what = 'GET /{slug}/activity of a million, of the time for ten'
  return [limitRow(what, 1 / ratio, { unit: '×', target: 1.5, digits: 2 })]
}

async function seed(databaseUrl: string, person: Person, sizes: Record<string, number>) {
  const sql = postgres(databaseUrl, { max: 1 })
  for (const [slug, size] of Object.entries(sizes)) {
    await sql`
      with account as (insert into accounts (name, slug) values (${slug}, ${slug}) returning id), membership as (
        insert into memberships (account_id, user_id, role)
        select account.id, users.id, 'owner' from account, users where email = ${person.email}
      )
      insert into activities (type, account_id, actor_id, actor_name, details)
      select 'role_changed', account.id, 0, 'Member ' || n,
        jsonb_build_object('name', 'Other ' || n, 'from', 'member', 'to', 'admin')
      from account, generate_series(1, ${size}::int) n`
  }
  await sql`analyze`
  await sql.end()
}
