import { globSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { blocksIn, changed, copyProject, edit, runningIn, sectionOf, withoutTests } from './word-for-word.ts'

// Tests of guides, and of prose, which names removed tests and packages until a person takes them out.
const aboutTheWhole = /^test\/(guides\/.*|(docs|security)\.test\.ts)$/

/** The steps of features/REMOVING.md. */
export const stepsWithout = (feature: string) => blocksIn(sectionOf('features/REMOVING.md', `## \`${feature}\``))

/**
 * Removes a feature from a copy, word for word as features/REMOVING.md says, and runs tests that remain: these, or all
 * of them with REMOVAL=whole.
 */
export function testRemoval(feature: string, tests: string[]) {
  t.test(`without ${feature}, removed word for word, the rest compiles, starts and passes its tests`, async (t) => {
    const whole = process.env.REMOVAL === 'whole'
    const copy = copyProject(t, { whole })
    const run = runningIn(copy)
    const blocks = stepsWithout(feature)
    t.ok(blocks.length > 3, 'the guide could be read')
    for (const { kind, file, text } of blocks) {
      if (kind === 'sh') await run('sh', '-ec', text)
      else edit(join(copy, file), (source) => (kind === 'tests' ? withoutTests(source, text) : changed(source, text)))
    }

    await run('node_modules/.bin/tsc', '-p', 'tsconfig.json')
    await run('node_modules/.bin/tsc', '-p', 'pages/tsconfig.json')
    if (whole) {
      await run('node_modules/.bin/knip')
      const all = globSync('test/**/*.test.ts', { cwd: copy }).filter((file) => !aboutTheWhole.test(file))
      return run('npm', 'test', '--', ...all)
    }
    for (const test of ['architecture', 'paths', ...tests]) await run(process.execPath, `test/${test}.test.ts`)
  })
}
