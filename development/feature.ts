import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Script } from 'node:vm'
import { type Moves, withMovedPaths } from './upgrade/moves.ts'

// `npm run feature -- invoices [invoice]`: copies examples/projects under another name to where the files of a product
// are, and prints the lines that central files need. Compound names have dashes: `time-entries`.

const example = 'examples/projects'
const start = 'examples/start.ts'
const literal = /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/.*|\/\*[\s\S]*?\*\/)/

try {
  const [plural = '', singular = singularOf(plural)] = process.argv.slice(2)
  check(plural, singular)
  const written = copy(plural.split('-'), singular.split('-'))
  // Other names are sorted otherwise, and break lines elsewhere.
  const code = written.filter((file) => !file.endsWith('.md'))
  execFileSync('node_modules/.bin/biome', ['check', '--write', ...code, ...bringBack(plural)], { stdio: 'pipe' })
  console.log(advice(plural, written))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function check(plural: string, singular: string) {
  const usage = 'Usage: npm run feature -- PLURAL [SINGULAR], such as invoices, or people person'
  const isName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
  if (!isName.test(plural) || !isName.test(singular) || plural === singular) throw new Error(usage)
  if (isReserved(singular)) throw new Error(`${singular} is a word of JavaScript: say a singular, as in ${usage}`)
  const isRoute = readFileSync('features/paths.ts', 'utf8').includes(`/${plural}\``)
  const folders = ['features', 'pages', 'examples', 'test'].map((folder) => `${folder}/${plural}`)
  const files = [`drizzle/tables/${plural}.ts`, `docs/${plural}.md`]
  const taken = [...folders, ...files].find((path) => existsSync(path))
  if (taken || isRoute) throw new Error(`${taken ?? `A page /${plural}`} exists: choose another name`)
}

/** Whether no variable may be called so. */
function isReserved(word: string) {
  try {
    new Script(`'use strict'; const ${camel(word.split('-'), false)} = 0`)
    return false
  } catch {
    return true
  }
}

/** If a feature of this name was taken out before, the next `without --again` would take this one out. */
function bringBack(name: string) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  if (!manifest.without?.includes(name)) return []
  const without = manifest.without.filter((one: string) => one !== name)
  writeFileSync('package.json', JSON.stringify({ ...manifest, without: without.length > 0 ? without : undefined }))
  return ['package.json']
}

function singularOf(plural: string) {
  return plural.replace(/ies$/, 'y').replace(/(?<=ss|x|ch|sh)es$|s$/, '')
}

function copy(plural: string[], singular: string[]) {
  const rename = (source: string) => renamed(source, plural, singular)
  const inProse = (source: string) =>
    source.replace(/[Pp]rojects?/g, (token) => {
      const words = (token.endsWith('s') ? plural : singular).join(' ')
      return token.startsWith('P') ? capital(words) : words
    })
  const files = globSync(`${example}/**/*.{ts,tsx,md}`)
  const moves: Moves = [...files, start].map((file) => [file, placeOf(file)])
  return files.map((file) => {
    const target = rename(placeOf(file))
    const moved = withMovedPaths(file, readFileSync(file, 'utf8'), moves)
    const source = withArticles((file.endsWith('.md') ? inProse : rename)(moved), singular)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, source)
    return target
  })
}

/** `an invoice`, but `a user`: the sound decides, and of u nobody knows. */
function withArticles(source: string, singular: string[]) {
  const name = singular.join(' ')
  return /^[aeio]/.test(name) ? source.replace(new RegExp(`\\b([Aa])(?= ${name}\\b)`, 'g'), '$1n') : source
}

/** Where a product has what is in this file of the example. */
function placeOf(file: string) {
  if (file === start) return 'test/helpers/app.ts'
  const inside = file.slice(example.length + 1)
  const [folder, name = ''] = inside.split('/')
  if (folder === 'pages') return `pages/projects/${name}`
  if (folder === 'words') return `languages/${basename(name, '.ts')}/projects.ts`
  if (inside === 'tables.ts') return 'drizzle/tables/projects.ts'
  if (inside === 'about.md') return 'docs/projects.md'
  return `${inside.endsWith('.test.ts') ? 'test' : 'features'}/projects/${inside}`
}

/** The source with `project` and `projects` replaced in all cases, each as its place asks for. */
function renamed(source: string, plural: string[], singular: string[]) {
  const parts = source.split(literal)
  return parts
    .map((part, index) =>
      part.replace(/[Pp]rojects?/g, (token, at: number) => {
        const words = token.endsWith('s') ? plural : singular
        const [before, after] = [part[at - 1] ?? '', part.slice(at + token.length)]
        const isName = /^(['"`]?$|\.[a-z])/.test(after) && /^['"`]?$/.test(before)
        if (/pgTable\(\s*$/.test(parts[index - 1] ?? '') || before === '_' || after.startsWith('_'))
          return words.join('_')
        if (/[-/]/.test(before) || /^([-/]|\.(ts|csv|page))/.test(after)) return words.join('-')
        const isKey = index % 2 === 0 && before === ' ' && after === ': ' && token.startsWith('P')
        if (isKey) return `'${capital(words.join(' '))}'` // of a translation
        const isValue = before === '{'
        const isIdentifier = /\w/.test(before + after.slice(0, 1)) || index % 2 === 0 || isValue
        if (isIdentifier || (isName && token.startsWith('p'))) return camel(words, token.startsWith('P'))
        return token.startsWith('P') ? capital(words.join(' ')) : words.join(' ')
      }),
    )
    .join('')
}

function capital(word: string) {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function camel([first = '', ...rest]: string[], isCapital: boolean) {
  return [isCapital ? capital(first) : first, ...rest.map(capital)].join('')
}

function advice(plural: string, written: string[]) {
  const name = camel(plural.split('-'), false)
  const languageLines = written
    .flatMap((file) => /^languages\/([\w-]+)\//.exec(file)?.[1] ?? [])
    .map(
      (tag) => `languages/${tag}.ts
  import { words as ${name} } from './${tag}/${plural}.ts'
  ...${name},  // first in \`words\`
`,
    )
    .join('')
  return `${written.join('\n')}

These lines are yours to add:

app.ts
  import { ${name} } from './features/${plural}/index.ts'
  await app.register(${name})  // after accounts
drizzle/schema.ts
  export * from './tables/${plural}.ts'
pages/features.ts
  import { ${name} } from './${plural}/feature.tsx'
  ${name},  // in the list
${languageLines}
Then npm run db:generate -- --name ${plural}, npm test -- test/${plural}${languageLines && ', and read the words in languages/'}.`
}
