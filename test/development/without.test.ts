import t, { type Test } from 'tap'
import { readModule } from '../../development/graph/modules.ts'
import { planWithout } from '../../development/without/plan.ts'
import { withoutEntries, withoutLinks, withoutSettings } from '../../development/without/text.ts'

/** The plan for a project of these files without what lies in `features/gone/`. */
function plan(files: Record<string, string>) {
  const modules = new Map(Object.entries(files).map(([file, source]) => [file, readModule(file, source)]))
  return planWithout(
    Object.keys(files).filter((file) => file.includes('/gone/')),
    modules,
  )
}

const option = { 'features/gone/index.ts': 'export const gone = () => {}\nexport type Gone = { a: 1 }\n' }

function leaves(t: Test, source: string, rest: string) {
  const { changed, broken } = plan({ ...option, 'app.ts': source })
  t.same(broken, [])
  t.equal(changed.get('app.ts'), rest)
}

const imported = "import { gone } from './features/gone/index.ts'\n"

t.test('a statement that uses what is gone goes with its comment, and so does what it declares', async (t) => {
  leaves(t, `${imported}start()\n// About this alone.\nawait app.register(gone, { a: 1 })\nend()\n`, 'start()\nend()\n')
  leaves(t, `${imported}if (isOn) app.register(gone)\nend()\n`, 'end()\n')
  leaves(t, `${imported}const a = gone()\nconst b = a.of(1)\nexport const c = 3\n`, 'export const c = 3\n')
  leaves(t, `${imported}app.on('ready', () => gone(app))\nend()\n`, 'end()\n')
})

t.test('a test that uses what is gone goes whole', async (t) => {
  const one = "t.test('one', async (t) => {\n  const a = gone()\n  t.ok(a > 1)\n})\n"
  leaves(t, `${imported}${one}t.test('two', end)\n`, "t.test('two', end)\n")
  const shared = 'const { app, clock } = start()\nt.ok(app)\n'
  leaves(t, `${imported}${shared}t.test('late', () => gone(clock) + 1)\n`, 'const { app } = start()\nt.ok(app)\n')
  const loop = 'for (const each of all) {\n  t.test(each, async () => end(gone() + 1))\n}\n'
  leaves(t, `${imported}const all = ['a']\n${loop}end()\n`, 'end()\n')
})

t.test('members of lists, objects, types and pages go one by one', async (t) => {
  leaves(t, `${imported}const list = [one, gone, two]\n`, 'const list = [one, two]\n')
  leaves(t, `${imported}const list = [one, gone()]\n`, 'const list = [one]\n')
  leaves(t, `${imported}const all = {\n  a,\n  ...gone,\n  b: gone.b,\n  c,\n}\n`, 'const all = {\n  a,\n  c,\n}\n')
  const typed = "import type { Gone } from './features/gone/index.ts'\n"
  leaves(t, `${typed}type All = One | Gone | Two\n`, 'type All = One | Two\n')
  leaves(t, `${typed}interface All {\n  a: Gone\n  b: 1\n}\n`, 'interface All {\n  b: 1\n}\n')
  const { changed } = plan({ ...option, 'page.tsx': `${imported}const Page = () => <p>{one}<gone.Part a="1" /></p>\n` })
  t.equal(changed.get('page.tsx'), 'const Page = () => <p>{one}</p>\n')
})

t.test('a name goes from where it is read, too', async (t) => {
  const rest = 'export function start() {\n  return { app }\n}\n'
  leaves(t, `${imported}export function start() {\n  const a = gone()\n  return { app, a }\n}\n`, rest)
})

t.test('a name that something else declares stays', async (t) => {
  leaves(
    t,
    `${imported}app.register(gone)\nrun((gone) => gone + 1)\nend({ gone: 1 }).gone\n`,
    'run((gone) => gone + 1)\nend({ gone: 1 }).gone\n',
  )
})

t.test('a part of a condition, a signature or a sum is a broken seam, and nothing changes', async (t) => {
  for (const source of [
    'const a = isOn ? gone() : other()',
    'if (!gone()) end()',
    'const a = 1 + gone()',
    'end(gone() ?? 1)',
  ]) {
    const { changed, broken } = plan({ ...option, 'app.ts': `${imported}${source}\n` })
    t.same(broken, [{ file: 'app.ts', line: 2, text: source }])
    t.equal(changed.size, 0)
  }
  const typed = "import type { Gone } from './features/gone/index.ts'\nfunction run(a: Gone) {}\n"
  t.equal(plan({ ...option, 'app.ts': typed }).broken.length, 1)
})

const testOf = (name: string) => `t.test('${name}', () => ${name})\n`

t.test(
  'what only the option and tests used goes too; what nobody used before stays, and what products use',
  async (t) => {
    const { changed, gone } = plan({
      'features/gone/index.ts':
        "import { help } from '../../plugins/help.ts'\nimport { one } from '../../plugins/both.ts'\nimport { kept } from '../../plugins/kept.ts'\nhelp(one, kept)\n",
      'plugins/help.ts': 'export const help = () => {}\n',
      'test/plugins/help.test.ts': "import { help } from '../../plugins/help.ts'\nhelp()\n",
      'plugins/both.ts': 'const part = 1\nexport const one = part\nexport const two = 2\nexport const three = 3\n',
      'plugins/kept.ts': '/** @public */\nexport const kept = 1\n',
      'app.ts': "import { two } from './plugins/both.ts'\ntwo()\n",
      'test/both.test.ts': `import { one, two } from '../plugins/both.ts'\n${testOf('one')}${testOf('two')}`,
    })
    t.same([...gone].toSorted(), ['features/gone/index.ts', 'plugins/help.ts', 'test/plugins/help.test.ts'])
    t.same(
      [...changed],
      [
        ['plugins/both.ts', 'export const two = 2\nexport const three = 3\n'],
        ['test/both.test.ts', `import { two } from '../plugins/both.ts'\n${testOf('two')}`],
      ],
    )
  },
)

t.test(
  'a test that uses what is gone goes, with its file if it was the only one, and imports of no name',
  async (t) => {
    const test = "t.test('it is gone', async (t) => t.ok(gone(password)))\n"
    const imports = `import t from 'tap'\nimport { gone } from '../features/gone/index.ts'\n`
    const { changed, gone } = plan({
      ...option,
      'plugins/help.ts': 'export type A = 1\nexport type B = 2\nexport const password = 3\n',
      'test/one.test.ts': `${imports}import { password } from '../plugins/help.ts'\n${test}`,
      'test/two.test.ts': `${imports}import type { A, B } from '../plugins/help.ts'\n${test.replace('password', '1 as A & B')}t.test('it stays', stay)\n`,
      'app.ts': "import { type A, type B, password } from './plugins/help.ts'\nstart<A, B>(password)\n",
    })
    t.same([...gone].toSorted(), ['features/gone/index.ts', 'test/one.test.ts'])
    t.same([...changed], [['test/two.test.ts', "import t from 'tap'\nt.test('it stays', stay)\n"]])
  },
)

t.test('a file of a name that is passed on by another one goes from there', async (t) => {
  const { changed } = plan({
    ...option,
    'features/index.ts': "export { gone } from './gone/index.ts'\nexport const other = 1\n",
    'app.ts': "import { gone, other } from './features/index.ts'\napp.register(gone)\napp.register(other)\n",
  })
  t.equal(changed.get('app.ts'), "import { other } from './features/index.ts'\napp.register(other)\n")
})

t.test('documents lose links: a part of an enumeration, an item, a row', async (t) => {
  const isGone = (target: string) => target === 'docs/gone.md'
  const without = (source: string) => withoutLinks(source, isGone)
  t.equal(without('See [a](a.md), [gone](docs/gone.md), [b](b.md).\n').source, 'See [a](a.md), [b](b.md).\n')
  t.equal(without('See a,\n[gone](docs/gone.md), b.\n').source, 'See a,\nb.\n')
  t.equal(without('- [a](a.md)\n- [gone](docs/gone.md#x) is\n  long\n- b\n').source, '- [a](a.md)\n- b\n')
  t.equal(without('| a | b |\n| [gone](docs/gone.md) | c |\n| d | e |\n').source, '| a | b |\n| d | e |\n')
  t.equal(without('Read [gone](docs/gone.md) first.\n').broken.length, 1)
})

t.test('lists of paths lose what is gone, and patterns that match nothing else', async (t) => {
  const files = ['a.ts', 'docs/gone.md', 'docs/a.md', 'docs/gone/x.md']
  const list = (...entries: string[]) => JSON.stringify({ entry: entries }, null, 2)
  const without = (...entries: string[]) => withoutEntries(list(...entries), files, (file) => file.includes('gone'))
  t.equal(without('a.ts', 'docs/gone.md'), list('a.ts'))
  t.equal(without('docs/gone/*.md', 'docs/*.md', 'never/*.md'), list('docs/*.md', 'never/*.md'))
})

t.test('settings go with the comment that is about them alone', async (t) => {
  const example = '# Both.\nA=1\n# B=2\n\n# Three.\n# C=3\nD=4\n'
  t.equal(withoutSettings(example, ['A']), '# Both.\n# B=2\n\n# Three.\n# C=3\nD=4\n')
  t.equal(withoutSettings(example, ['A', 'B']), '\n# Three.\n# C=3\nD=4\n')
  t.equal(withoutSettings('| `A`, `B` | none | x |\n| `C` | none | y |\n', ['A', 'B']), '| `C` | none | y |\n')
})
