import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import fastq from 'fastq'
import { buildWhatIsStale } from '../build.ts'
import { areas, instrument, type Mutant } from './instrument.ts'
import { hashOf, readResults, type Verdict } from './results.ts'
import { cover, runTest, testFiles } from './tests.ts'

// `npm run mutants`: changes the code in small ways, one at a time, and prints the changes that no test notices.

const {
  MUTANTS_SAMPLE = '60', // mutants of each area, drawn by chance
  MUTANTS_SEED = '1', // other seeds draw others
  MUTANTS_FILES = '5', // test files of other areas that may notice a mutant, besides all of its own
  MUTANTS_AT_ONCE = String(Math.min(availableParallelism(), 4)),
  MUTANTS_SECONDS = 'Infinity', // stops after so long; the next run goes on from there
} = process.env
const goal = 0.85

const folder = resolve('.data/mutants')
const copy = join(folder, 'copy')
const began = Date.now()
const isTimeUp = () => Date.now() - began > Number(MUTANTS_SECONDS) * 1000

mkdirSync(folder, { recursive: true })
await buildWhatIsStale()
const { mutants, fingerprint } = await instrument(copy)
const { results, keep } = readResults(join(folder, 'results.json'), fingerprint)
const samples = new Map(areas.map((area) => [area, sample(area)]))

await runTest(copy, 'test/helpers/before.ts', {})
const hashes = Object.fromEntries(testFiles().map((file) => [file, hashOf(file)]))
await each(Object.keys(hashes), countCoverage)
if (!isTimeUp()) await each([...samples.values()].flat(), judge)
await runTest(copy, 'test/helpers/after.ts', {})

const reports = [...samples].map(([area, drawn]) => report(area, drawn))
process.exitCode = reports.every(Boolean) ? 0 : 1

/** Which mutants are drawn does not depend on the others, so that few change when code is added. */
function sample(area: string) {
  const chance = (mutant: Mutant) => {
    const { file, line, column, was, becomes } = mutant
    return createHash('sha256').update([MUTANTS_SEED, file, line, column, was, becomes].join()).digest('hex')
  }
  const drawn = mutants
    .filter(({ file }) => file.startsWith(`${area}/`))
    .map((mutant) => ({ mutant, by: chance(mutant) }))
  drawn.sort((a, b) => (a.by < b.by ? -1 : 1))
  return drawn.slice(0, Number(MUTANTS_SAMPLE)).map(({ mutant }) => mutant)
}

async function each<T>(items: T[], work: (item: T) => Promise<void>) {
  const queue = fastq.promise(async (item: T) => {
    if (isTimeUp()) return
    await work(item)
    keep()
  }, Number(MUTANTS_AT_ONCE))
  await Promise.all(items.map((item) => queue.push(item)))
}

async function countCoverage(file: string) {
  const hash = hashes[file] ?? ''
  if (results.tests[file]?.hash === hash) return
  const covered = { hash, ...(await cover(copy, file)) }
  results.tests[file] = covered
  if (!covered.passed) console.log(`${file} fails without a mutant, so it is left out`)
}

async function judge(mutant: Mutant) {
  results.mutants[mutant.id] ??= { survived: [] }
  const verdict = results.mutants[mutant.id] as Verdict
  for (const { file, mark, ms } of testsOf(mutant)) {
    if (verdict.killedBy || isTimeUp()) return
    if (verdict.survived.includes(mark)) continue
    const { passed } = await runTest(copy, file, { __STRYKER_ACTIVE_MUTANT__: mutant.id }, 5 * ms + 20_000)
    if (passed) verdict.survived.push(mark)
    else verdict.killedBy = file
  }
}

/**
 * The test files that run the mutant: its area's own and those of the whole application, then the others
 * that run most of its file.
 */
function testsOf({ id, file }: Mutant) {
  const area = areas.find((area) => file.startsWith(`${area}/`)) ?? ''
  const neighbours = new Set(mutants.filter((other) => other.file === file).map((other) => other.id))
  const able = Object.entries(hashes).flatMap(([name, hash]) => {
    const covered = results.tests[name]
    if (!covered?.passed || !covered.mutants.includes(id)) return []
    const share = covered.mutants.filter((other) => neighbours.has(other)).length
    const own = name.startsWith(`test/${area.replace('features/', '')}/`) || dirname(name) === 'test'
    return [{ file: name, mark: `${name}@${hash}`, ms: covered.ms, own, share }]
  })
  const own = able.filter(({ own }) => own).sort((a, b) => b.share / b.ms - a.share / a.ms)
  const others = able.filter(({ own }) => !own).sort((a, b) => b.share - a.share || a.ms - b.ms)
  return [...own, ...others.slice(0, Number(MUTANTS_FILES))]
}

function report(area: string, drawn: Mutant[]) {
  const verdictOf = ({ id }: Mutant) => results.mutants[id]
  const killed = drawn.filter((mutant) => verdictOf(mutant)?.killedBy)
  const living = drawn.filter((mutant) => {
    const verdict = verdictOf(mutant)
    return verdict && !verdict.killedBy && testsOf(mutant).every(({ mark }) => verdict.survived.includes(mark))
  })
  const left = drawn.length - killed.length - living.length
  for (const mutant of living) {
    const { file, line, column, was, becomes } = mutant
    const tests = testsOf(mutant).length
    console.log(`\n${file}:${line}:${column} lives on in ${tests} test files (${mutant.id})`)
    console.log(`- ${was.replaceAll('\n', '\n  ')}\n+ ${becomes.replaceAll('\n', '\n  ')}`)
  }
  const rate = killed.length / (drawn.length - left)
  const unfinished = left > 0 ? `, ${left} still to try: run it again` : ''
  console.log(
    `\n${area}: ${killed.length} of ${drawn.length - left} killed (${(100 * rate).toFixed(0)} %)${unfinished}`,
  )
  return left === 0 && rate >= goal
}
