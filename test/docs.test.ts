import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json'))

/** What stands in backticks in the first column of the tables below a heading. */
function namesIn(page: string, heading: string) {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const cells = (section.split('\n## ')[0] ?? '').matchAll(/^\| (`.+?) \|/gm)
  return Array.from(cells, ([, cell = '']) => Array.from(cell.matchAll(/`(.+?)`/g), ([, name = '']) => name)).flat()
}

t.test('docs/dependencies.md says of every package why it is there, and of no other', async (t) => {
  const page = read('docs/dependencies.md')
  t.same(namesIn(page, 'In production').toSorted(), Object.keys(manifest.dependencies).toSorted())
  const development = [...namesIn(page, 'In the bundles'), ...namesIn(page, 'In development')]
  t.same(development.toSorted(), Object.keys(manifest.devDependencies).toSorted())
})

t.test('docs/commands.md explains every command, and no other', async (t) => {
  const page = read('docs/commands.md')
  const headings = Array.from(page.matchAll(/^## (.+)$/gm), ([, heading = '']) => heading)
  const explained = headings.flatMap((heading) => namesIn(page, heading)).filter((name) => name.startsWith('npm '))
  const commands = Object.keys(manifest.scripts).filter((name) => name !== 'postinstall')
  t.same(explained.map((name) => name.replace(/^npm (run )?/, '')).toSorted(), commands.toSorted())
})

t.test('every link in a page leads to a file, and to a heading that it has', async (t) => {
  const pages = globSync('**/*.md', { cwd: root, exclude: (name) => /^(node_modules|\.\w+|build)$/.test(name) })
  t.ok(pages.length > 30)
  for (const page of pages) {
    const prose = read(page)
      .replaceAll(/^```.*?^```$/gms, '')
      .replaceAll(/`[^`\n]*`/g, '')
    for (const [, link = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue
      const [path = '', heading] = link.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      t.ok(existsSync(join(root, file)), `${page}: ${link}`)
      if (heading) t.ok(anchorsOf(file).has(heading), `${page}: ${link}`)
    }
  }
})

/** As GitHub makes them from headings. */
const anchorsOf = (file: string) =>
  new Set(
    Array.from(read(file).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
