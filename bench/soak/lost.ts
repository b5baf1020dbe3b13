import type postgres from 'postgres'
import type { Acknowledged } from './crowd.ts'

/** Counts the acknowledged writes that are missing. */
export async function lost(sql: postgres.Sql, { names, emails, sessions, pictured }: Acknowledged) {
  const [row] = await sql<{ lost: number }[]>`
    select
      (select count(*)
        from unnest(${names.map(([email]) => email)}::text[], ${names.map(([, name]) => name)}::text[])
          as acknowledged (email, name)
        where not exists (select from users where users.email = acknowledged.email and users.name = acknowledged.name))
      + (select count(*) from unnest(${emails}::text[]) as acknowledged (email)
        where not exists (
          select from users
          join sessions on sessions.user_id = users.id join memberships on memberships.user_id = users.id
          where users.email = acknowledged.email))
      + (select count(*) from unnest(${sessions}::text[]) as acknowledged (token)
        where not exists (select from sessions where sessions.token = acknowledged.token))
      + (select count(*) from unnest(${pictured}::text[]) as acknowledged (email)
        where not exists (
          select from users join pictures on pictures.user_id = users.id and pictures.key = users.picture
          where users.email = acknowledged.email))
      as lost`
  return Number(row?.lost ?? Number.NaN)
}
