import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// `npm run db:generate -- --name what_it_does`: writes a migration after a change of drizzle/tables. It appears as it
// is to stay, because the server of `npm run dev` applies it at once, and an applied migration can't be edited.

const folder = 'drizzle/migrations'
const copy = mkdtempSync('.generated-') // beside the folder, since drizzle-kit takes no other path
try {
  cpSync(folder, copy, { recursive: true })
  const known = sqlIn(copy)
  const options = ['--dialect=postgresql', '--schema=./drizzle/schema.ts', '--casing=snake_case', `--out=./${copy}`]
  execFileSync('node_modules/.bin/drizzle-kit', ['generate', ...options, ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const name of sqlIn(copy).filter((name) => !known.includes(name))) {
    writeFileSync(join(folder, name), withoutLongLocks(readFileSync(join(copy, name), 'utf8')))
    console.log(`${folder}/${name}: read it before you commit it (drizzle/README.md)`)
  }
  // The journal comes last: what it doesn't name is not applied.
  for (const name of globSync('meta/*_snapshot.json', { cwd: copy })) renameSync(join(copy, name), join(folder, name))
  renameSync(join(copy, 'meta/_journal.json'), join(folder, 'meta/_journal.json'))
} catch (error) {
  if (!(error instanceof Error && 'status' in error)) throw error
  process.exitCode = 1 // drizzle-kit has said why
} finally {
  rmSync(copy, { recursive: true })
}

function sqlIn(path: string) {
  return globSync('*.sql', { cwd: path })
}

/** Adds constraints to tables that are there already without reading their rows. */
function withoutLongLocks(sql: string) {
  const created = Array.from(sql.matchAll(/CREATE TABLE "(\w+)"/g), ([, table]) => table)
  return sql.replace(/ALTER TABLE "(\w+)" ADD CONSTRAINT .*?(?= ?;)/g, (statement, table) =>
    created.includes(table) || !/ (CHECK|FOREIGN KEY) /.test(statement) ? statement : `${statement} NOT VALID`,
  )
}
