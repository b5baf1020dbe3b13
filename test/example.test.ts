import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { blocksIn, change, copyProject, runningIn, write } from './helpers/word-for-word.ts'

t.test('the example of features/README.md, built word for word, is complete', async (t) => {
  const copy = copyProject(t)
  const run = runningIn(copy)
  const guide = readFileSync(new URL('../features/README.md', import.meta.url), 'utf8')
  const blocks = blocksIn(guide).filter(({ file }) => file !== '')
  t.ok(blocks.length > 10, 'the example could be read')
  for (const { kind, file, text } of blocks) {
    if (kind === 'diff') change(join(copy, file), text)
    else write(join(copy, file), text)
  }
  const files = new Set(blocks.map(({ file }) => file))

  await run('node_modules/.bin/drizzle-kit', 'generate', '--name', 'notes')
  await run('node_modules/.bin/biome', 'check', ...files)
  await run('node_modules/.bin/tsc', '-p', 'tsconfig.json')
  await run('node_modules/.bin/tsc', '-p', 'pages/tsconfig.json')
  await run(process.execPath, 'pages/translation/words.ts', '--strict')
  await run(process.execPath, 'test/helpers/before.ts')
  for (const test of ['notes/notes', 'paths', 'architecture']) await run(process.execPath, `test/${test}.test.ts`)
})
