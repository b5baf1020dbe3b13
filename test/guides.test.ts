import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { stepsWithout } from './guides/removal.ts'
import { blocksIn, changed, sectionOf, withoutTests } from './guides/word-for-word.ts'

// That their steps fit the files of today. `npm run guides` takes them in copies, which takes minutes.

const root = new URL('../', import.meta.url)

const guides = {
  'features/README.md': blocksIn(sectionOf('features/README.md', '## A complete feature')),
  'features/WORKSPACE.md': blocksIn(sectionOf('features/WORKSPACE.md', '## Projects')),
  ...Object.fromEntries(
    ['passkeys', 'second-factor', 'activity', 'live'].map((feature) => [`without ${feature}`, stepsWithout(feature)]),
  ),
}

for (const [guide, blocks] of Object.entries(guides)) {
  t.test(`every change of ${guide} fits its file`, async (t) => {
    const files = new Map<string, string>()
    const read = (file: string) => files.get(file) ?? readFileSync(new URL(file, root), 'utf8')
    for (const { kind, file, text } of blocks) {
      if (kind === 'diff') files.set(file, changed(read(file), text))
      else if (kind === 'tests') files.set(file, withoutTests(read(file), text))
      else if (kind === 'sh')
        t.same(
          removed(text).filter((name) => !existsSync(new URL(name, root))),
          [],
        )
    }
    t.ok(files.size > 3, 'the guide could be read')
  })
}

/** What the commands remove. */
const removed = (commands: string) =>
  Array.from(commands.matchAll(/^rm (?:-r )?(.*)$/gm), ([, names = '']) => names.split(' ')).flat()
