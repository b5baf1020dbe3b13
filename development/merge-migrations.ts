import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { generateDrizzleJson } from 'drizzle-kit/api'

// `npm run db:merge`: moves our own migrations behind those of the branch that is merged in, because drizzle-kit
// refuses two that follow the same one. Only names, places and snapshots change: a database recognizes what it has
// applied by hash.

type Entry = { idx: number; version: string; when: number; tag: string; breakpoints: boolean }
type Journal = { version: string; dialect: string; entries: Entry[] }

const folder = 'drizzle/migrations'
const journalFile = `${folder}/meta/_journal.json`

try {
  if (!isUnmerged(journalFile)) throw new Error(`${journalFile} is not in conflict`)
  const { journal, moved } = ofTheMerge()
  await move(journal, moved)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Takes the journal and snapshots of the other branch as they are. */
function ofTheMerge() {
  if (isUnmerged('drizzle/tables')) throw new Error('Resolve the conflict in drizzle/tables first')
  // In a rebase it is the other way round: our commits are applied to the other branch, which is HEAD.
  const isMerge = existsSync(git('rev-parse', '--git-path', 'MERGE_HEAD').trim())
  const branchEntries: Entry[] = JSON.parse(git('show', `:${isMerge ? 2 : 3}:${journalFile}`)).entries
  git('checkout', isMerge ? 'MERGE_HEAD' : 'HEAD', '--', `${folder}/meta`)
  const journal: Journal = JSON.parse(readFileSync(journalFile, 'utf8'))
  const tags = journal.entries.map(({ tag }) => tag)
  return { journal, moved: branchEntries.filter(({ tag }) => !tags.includes(tag)) }
}

async function move(journal: Journal, moved: Entry[]) {
  const { entries } = journal
  const newest = Math.max(Date.now(), ...entries.map(({ when }) => when))
  const later = moved.map((entry, at) => renumbered({ ...entry, when: newest + 1 + at }, entries.length + at))
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: [...entries, ...later] }, null, 2))

  // drizzle-kit compares only the last snapshot with the schema, the others are links of a chain.
  const { default: _, ...schema } = await import(`${process.cwd()}/drizzle/schema.ts`)
  for (const { idx } of later) {
    const snapshot = generateDrizzleJson(schema, idOf(idx - 1), undefined, 'snake_case')
    writeFileSync(snapshotOf(idx), JSON.stringify(snapshot, null, 2))
  }
  console.log(`Last are now ${later.map(({ tag }) => tag).join(', ')}. Read them once more, then`)
  console.log(`  git add ${folder} && npm test -- test/server/migrations.test.ts`)
}

function renumbered(entry: Entry, idx: number) {
  const tag = String(idx).padStart(4, '0') + entry.tag.slice(4)
  if (tag !== entry.tag) renameSync(`${folder}/${entry.tag}.sql`, `${folder}/${tag}.sql`)
  return { ...entry, idx, tag }
}

function snapshotOf(idx: number) {
  return `${folder}/meta/${String(idx).padStart(4, '0')}_snapshot.json`
}

function idOf(idx: number): string {
  return idx < 0 ? '00000000-0000-0000-0000-000000000000' : JSON.parse(readFileSync(snapshotOf(idx), 'utf8')).id
}

function git(...args: string[]) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

function isUnmerged(file: string) {
  return git('ls-files', '--unmerged', '--', file) !== ''
}
