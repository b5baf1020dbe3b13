const begins = /^\s*CREATE (?:OR REPLACE )?(FUNCTION|TRIGGER) "?(\w+)"?/i
const ends = /^\s*DROP (FUNCTION|TRIGGER) (?:IF EXISTS )?"?(\w+)"?/i

/**
 * The functions and triggers that these migrations leave in the database and that mention one of these tables or
 * columns. drizzle-kit knows none of them: they would fail at run time.
 */
export function mentionsOf(names: string[], migrations: string[]) {
  const present = new Map<string, string>()
  for (const statement of migrations.flatMap((sql) => sql.split('--> statement-breakpoint'))) {
    const [, kind = '', name = ''] = begins.exec(withoutComments(statement)) ?? []
    const [, gone = '', goneName = ''] = ends.exec(withoutComments(statement)) ?? []
    if (name) present.set(`${kind.toLowerCase()} ${name}`, statement)
    if (goneName) present.delete(`${gone.toLowerCase()} ${goneName}`)
  }
  const isMentioned = (statement: string) => names.some((name) => new RegExp(`\\b${name}\\b`).test(statement))
  return [...present].filter(([, statement]) => isMentioned(statement)).map(([name]) => name)
}

const withoutComments = (statement: string) => statement.replace(/^\s*--.*$/gm, '').trimStart()
