import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../plugins/database/index.ts'

type Column = { name: string; type: string; target: string | null; key: string | null }

/** Inserts a row into each of these tables, of the first user and account that there are. */
export async function fillTables(db: Database, tables: string[]) {
  for (let waiting = tables; waiting.length > 0; ) {
    const refused: string[] = []
    for (const table of waiting) await fill(db, table).catch(({ cause }) => refused.push(`${table}: ${cause}`))
    if (refused.length === waiting.length) throw new Error(refused.join('\n'))
    waiting = refused.map((line) => line.split(':')[0] ?? '') // those that refer to others
  }
}

async function fill(db: Database, table: string) {
  const { rows: columns } = await db.execute<Column>(sql`
    select attname as name, format_type(atttypid, null) as type, confrelid::regclass::text as target,
      (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]) as key
    from pg_attribute column_ left join pg_constraint on contype = 'f' and conrelid = attrelid and attnum = any(conkey)
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and not atthasdef and attidentity = ''
      and (attnotnull or confrelid = 'users'::regclass)`)
  const names = columns.map(({ name }) => sql`${sql.identifier(name)}`)
  await db.execute(sql`insert into ${sql.identifier(table)} (${list(names)}) values (${list(columns.map(sampleOf))})`)
}

const list = (parts: SQL[]) => sql.join(parts, sql`, `)

function sampleOf({ type, target, key }: Column) {
  if (target) return sql.raw(`(select min(${key}) from ${target})`)
  const values: Record<string, string> = {
    'timestamp with time zone': "now() + interval '1 day'",
    'text[]': "'{}'",
    text: "'a'",
    boolean: 'false',
    uuid: 'gen_random_uuid()',
    bytea: "'a'",
  }
  return sql.raw(values[type] ?? '1')
}
