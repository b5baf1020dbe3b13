import type { cloneProject } from './clone.ts'

type Clone = Awaited<ReturnType<typeof cloneProject>>
type Run = Awaited<ReturnType<Clone['start']>>

const page = 'features/health/page.ts'
const journalFile = 'drizzle/migrations/meta/_journal.json'

/** The ways in which files of a project change. Each waits until the newest code is served, and tells how long. */
export async function savesOf(clone: Clone, run: Run, report: (kind: string, ms: number) => void = () => {}) {
  const original = await clone.read(page)
  const greeting = (mark: string) => original.replace('<h1>Up</h1>', `<h1>${mark}</h1>`)
  await clone.git('init', '--quiet', '--initial-branch=main')
  await clone.git('add', '--all')
  await clone.git('commit', '--quiet', '--message', 'Start')
  for (const name of ['one', 'two']) {
    await clone.git('checkout', '--quiet', '-b', name, 'main')
    await clone.write(page, greeting(`branch-${name}`))
    await clone.git('commit', '--quiet', '--all', '--message', name)
  }
  let branch = 'two'

  async function save(kind: string, change: Promise<unknown>, words: string) {
    await change
    const since = performance.now()
    const { text } = await run.until('/up', (text) => text.includes(words))
    report(kind, performance.now() - since)
    return text
  }

  const saves = {
    inPlace: (mark: string) => save('in place', clone.write(page, greeting(mark)), `<h1>${mark}</h1>`),
    replaced: (mark: string) => save('replaced by rename', clone.replace(page, greeting(mark)), `<h1>${mark}</h1>`),
    restored: () => save('git checkout of a file', clone.git('checkout', '--quiet', page), `branch-${branch}`),
    switched() {
      branch = branch === 'one' ? 'two' : 'one'
      const switched = clone.git('checkout', '--quiet', '--force', branch)
      return save('git checkout of a branch', switched, `branch-${branch}`)
    },
    /** Returns the page that shows the error. */
    broken: (mark: string) => save('syntax error', clone.write(page, `${original}\nconst ${mark} = = 1\n`), mark),
    async migration(mark: string) {
      const journal = JSON.parse(await clone.read(journalFile))
      const { idx, when } = journal.entries.at(-1)
      const tag = `${String(idx + 1).padStart(4, '0')}_${mark}`
      await clone.write(`drizzle/migrations/${tag}.sql`, `create table ${mark} as select '${mark}' as name`)
      journal.entries.push({ idx: idx + 1, version: '7', when: Math.max(when, Date.now()) + 1, tag, breakpoints: true })
      await clone.replace(journalFile, JSON.stringify(journal))
      return save('new migration', clone.write(page, greeting(mark)), `<h1>${mark}</h1>`)
    },
  }
  await run.until('/up', (text) => text.includes('branch-two'))
  return saves
}
