import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { DatabaseUnusable } from '../plugins/database/index.ts'
import { inConflict } from './touched.ts'

export const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))

export type Migration = { tag: string; when: number; hash: string; statements: string[] }
export type Applied = { hash: string; when: number }

/** The migrations of this version, in their order. */
export function readMigrations(folder = migrationsFolder): Migration[] {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'))
  return readMigrationFiles({ migrationsFolder: folder }).map(({ sql, folderMillis, hash }, index) => ({
    tag: entries[index].tag,
    when: folderMillis,
    hash,
    statements: sql,
  }))
}

/**
 * The migrations that a database lacks, in order. A hash says whether one was applied, so a migration that moved in
 * the journal is not repeated, and one that was merged in before a newer one is not forgotten. Throws if applying them
 * could give another schema than in a new database. Migrations of a newer version are ignored: it must be possible to
 * return to this one.
 */
export function pendingIn(migrations: Migration[], applied: Applied[]) {
  const hashes = new Set(applied.map(({ hash }) => hash))
  const isApplied = ({ hash }: Migration) => hashes.has(hash)
  const known = new Set(migrations.map(({ hash }) => hash))
  const strange = applied.filter(({ hash }) => !known.has(hash))
  const pending = migrations.filter((migration) => !isApplied(migration))

  for (const late of pending) {
    if (strange.some(({ when }) => when === late.when)) throw new DatabaseUnusable(edited(late))
    const newer = migrations.slice(migrations.indexOf(late) + 1).filter(isApplied)
    for (const other of newer) {
      const [object] = inConflict(late.statements, other.statements)
      if (object) throw new DatabaseUnusable(conflicting(late, other, object))
    }
    if (strange.some(({ when }) => when > late.when)) throw new DatabaseUnusable(unmerged(late))
  }
  return pending
}

const edited = ({ tag }: Migration) =>
  `Migration ${tag} was changed after this database had applied it: restore it, and write another migration`

const conflicting = ({ tag }: Migration, other: Migration, object: string) =>
  `Migration ${tag} comes before ${other.tag}, which this database has already, and both change ${object}: ` +
  `run \`npm run db:merge -- ${tag}\` to put it last`

const unmerged = ({ tag }: Migration) =>
  `Migration ${tag} is older than one of another version that this database has already: ` +
  'use a version that has both, or another database'
