import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mentionsOf } from './mentions.ts'

// `npm run db:generate -- --name what_it_does`: writes a migration after a change of drizzle/tables. It appears as it
// is to stay, because the server of `npm run dev` applies it at once, and an applied migration can't be edited.

type Entry = { idx: number; when: number; tag: string }
type Journal = { entries: Entry[] }

const folder = 'drizzle/migrations'
const journalName = 'meta/_journal.json'
const breakpoint = '--> statement-breakpoint'

const problem = problemOfJournal()
if (problem) {
  console.error(problem)
  process.exitCode = 1
} else generate()

/** drizzle-kit counts the entries: it would write over the snapshot of a migration that the journal lacks. */
function problemOfJournal() {
  const text = readFileSync(join(folder, journalName), 'utf8')
  if (text.includes('<<<<<<<')) return `${folder}/${journalName} is in conflict: run \`npm run db:merge\` first`
  const { entries }: Journal = JSON.parse(text)
  const named = entries.flatMap(({ idx, tag }) => [`${tag}.sql`, snapshotOf(idx)])
  const there = globSync(['*.sql', 'meta/*_snapshot.json'], { cwd: folder })
  const unnamed = there.filter((name) => !named.includes(name))
  const missing = named.filter((name) => !there.includes(name))
  if (unnamed.length + missing.length === 0) return undefined
  return [
    `${folder}/${journalName} and the files of ${folder} don't belong together, so nothing was generated.`,
    ...unnamed.map((name) => `  ${name} is not in the journal: restore its entry, or delete it if it is not wanted`),
    ...missing.map((name) => `  ${name} is in the journal and missing: restore it, or remove its entry`),
    `\`git checkout BRANCH -- ${folder}\` takes all of a branch; \`npm run db:merge\` puts two branches together.`,
  ].join('\n')
}

function generate() {
  const copy = mkdtempSync('.generated-') // beside the folder, since drizzle-kit takes no other path
  try {
    cpSync(folder, copy, { recursive: true })
    const known = globSync('*.sql', { cwd: copy })
    const options = ['--dialect=postgresql', '--schema=./drizzle/schema.ts', '--casing=snake_case', `--out=./${copy}`]
    execFileSync('node_modules/.bin/drizzle-kit', ['generate', ...options, ...process.argv.slice(2)], {
      stdio: 'inherit',
    })
    for (const name of globSync('*.sql', { cwd: copy })) {
      if (!known.includes(name)) rewrite(copy, name)
    }
    // The journal comes last: what it doesn't name is not applied.
    for (const name of globSync('meta/*_snapshot.json', { cwd: copy })) renameSync(join(copy, name), join(folder, name))
    renameSync(join(copy, journalName), join(folder, journalName))
  } catch (error) {
    if (!(error instanceof Error && 'status' in error)) throw error
    process.exitCode = 1 // drizzle-kit has said why
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** Statements that would lock a table that is there already become others, and indexes a migration of their own. */
function rewrite(copy: string, name: string) {
  const sql = readFileSync(join(copy, name), 'utf8')
  const created = Array.from(sql.matchAll(/CREATE TABLE "(\w+)"/g), ([, table = '']) => table)
  const statements = sql.split(breakpoint).map((statement) => statement.trim())
  const indexes = statements.filter((statement) => isIndex(statement, created))
  const others = statements.filter((statement) => !indexes.includes(statement))
  if (others.length > 0)
    write(
      name,
      others.map((statement) => withoutValidation(statement, created)),
    )
  if (indexes.length > 0) write(others.length > 0 ? addMigration(copy) : name, indexes.map(concurrently))
}

function write(name: string, statements: string[]) {
  const dropped = statements.flatMap((each) => /DROP (?:TABLE|COLUMN) "(\w+)"/.exec(each)?.[1] ?? [])
  const before = globSync(`${folder}/*.sql`).toSorted()
  const mentions = mentionsOf(
    dropped,
    before.map((file) => readFileSync(file, 'utf8')),
  )
  if (mentions.length > 0) console.warn(`It drops what the database still uses: ${mentions.join(', ')}`)
  writeFileSync(join(folder, name), `${statements.join(`\n${breakpoint}\n`)}\n`)
  console.log(`${folder}/${name}: read it before you commit it (drizzle/README.md)`)
}

function isIndex(statement: string, created: string[]) {
  const [, table] = /^CREATE (?:UNIQUE )?INDEX .*? ON "(\w+)"/.exec(statement) ?? []
  return statement.startsWith('DROP INDEX') || (table !== undefined && !created.includes(table))
}

function concurrently(statement: string) {
  return statement
    .replace(/^(CREATE (?:UNIQUE )?INDEX) /, '$1 CONCURRENTLY IF NOT EXISTS ')
    .replace(/^DROP INDEX /, 'DROP INDEX CONCURRENTLY IF EXISTS ')
}

/** Adds constraints to tables that are there already without reading their rows. */
function withoutValidation(statement: string, created: string[]) {
  const [, table] = /^ALTER TABLE "(\w+)" ADD CONSTRAINT .* (?:CHECK|FOREIGN KEY) /.exec(statement) ?? []
  return table === undefined || created.includes(table) ? statement : statement.replace(/ ?;$/, ' NOT VALID;')
}

/** One more in the copy, with the same tables as the last. */
function addMigration(copy: string) {
  const journal: Journal = JSON.parse(readFileSync(join(copy, journalName), 'utf8'))
  const last = journal.entries.at(-1) as Entry
  const idx = last.idx + 1
  const entry = { ...last, idx, when: last.when + 1, tag: `${prefixOf(idx)}${last.tag.slice(4)}_indexes` }
  const snapshot = JSON.parse(readFileSync(join(copy, snapshotOf(last.idx)), 'utf8'))
  writeFileSync(
    join(copy, snapshotOf(idx)),
    JSON.stringify({ ...snapshot, id: randomUUID(), prevId: snapshot.id }, null, 2),
  )
  writeFileSync(join(copy, journalName), JSON.stringify({ ...journal, entries: [...journal.entries, entry] }, null, 2))
  return `${entry.tag}.sql`
}

function prefixOf(idx: number) {
  return String(idx).padStart(4, '0')
}

function snapshotOf(idx: number) {
  return `meta/${prefixOf(idx)}_snapshot.json`
}
