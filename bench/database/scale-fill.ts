import postgres from 'postgres'
import { migrate } from '../../drizzle/migrate.ts'
import { readAddress } from '../../plugins/database/index.ts'

const members = 20 // of each account that is shared

/**
 * Migrates a database and fills it with users, three sessions and two memberships for each, and an invitation for every
 * tenth. Foreign keys are not checked row by row, which would take longer than everything else.
 */
export async function fill(url: string, users: number) {
  await migrate(readAddress(url, { variable: 'DATABASE_URL' }), () => {})
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`
        insert into users (name, email, verified, password_digest)
        select 'Person ' || n, n || '@scale.example', true, '' from generate_series(1, ${users}::int) n`
      await tx`
        insert into accounts (name, slug)
        select 'Account ' || n, 'scale-' || n from generate_series(1, ${users}::int) n`
      const [first] = await tx<{ person: number; account: number }[]>`
        select (select min(id) from users)::int as person, (select min(id) from accounts)::int as account`
      const { person = 0, account = 0 } = first ?? {}
      await tx`
        insert into memberships (account_id, user_id, role)
        select ${account} + n, ${person} + n, 'owner' from generate_series(0, ${users - 1}::int) n
        union all
        select ${account} + n / ${members}::int, ${person} + (n + ${users / 2}::int) % ${users}::int, 'member'
        from generate_series(0, ${users - 1}::int) n
        on conflict do nothing`
      await tx`
        insert into sessions (token, user_id, user_agent, ip_address)
        select md5(n::text), ${person} + n % ${users}::int, 'Chrome', '192.0.2.1'
        from generate_series(1, ${3 * users}::int) n`
      await tx`
        insert into invitations (account_id, inviter_id, email, role, expires_at)
        select ${account} + n, ${person} + n, n || '@invited.example', 'member', now() + interval '5 days'
        from generate_series(0, ${users / 10 - 1}::int) n`
    })
    await sql`vacuum analyze`
  } finally {
    await sql.end()
  }
}

/** Puts someone into an account with as many members as the others have. */
export async function giveCompany(url: string, slug: string) {
  const sql = postgres(url, { max: 1 })
  await sql`
    insert into memberships (account_id, user_id, role)
    select accounts.id, users.id, 'member' from accounts,
      (select id from users where email like '%@scale.example' order by id limit ${members - 1}) users
    where slug = ${slug}`
  await sql.end()
}
