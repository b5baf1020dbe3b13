import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { blocksIn, change, copyProject, removeTests, runningIn } from './word-for-word.ts'

// Tests of these guides, and of prose, which names removed tests and packages until a person takes them out.
const aboutTheWhole = /^test\/(removal\/.*|(docs|(workspace-)?example|security)\.test\.ts)$/

/**
 * Removes a feature from a copy, word for word as features/REMOVING.md says, and runs tests that remain: these, or all
 * of them with REMOVAL=whole.
 */
export function testRemoval(feature: string, tests: string[]) {
  t.test(`without ${feature}, removed word for word, the rest compiles, starts and passes its tests`, async (t) => {
    const whole = process.env.REMOVAL === 'whole'
    const copy = copyProject(t, { whole })
    const run = runningIn(copy)
    const guide = readFileSync(new URL('../../features/REMOVING.md', import.meta.url), 'utf8')
    const [, section = ''] = guide.split(new RegExp(`^## \`${feature}\`.*$`, 'm'))
    const blocks = blocksIn(section.split(/^## /m)[0] ?? '')
    t.ok(blocks.length > 3, 'the guide could be read')
    for (const { kind, file, text } of blocks) {
      if (kind === 'sh') await run('sh', '-ec', text)
      else if (kind === 'tests') removeTests(join(copy, file), text.trim().split('\n'))
      else change(join(copy, file), text)
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
