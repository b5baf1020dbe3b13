import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Node, parse, walk } from './syntax.ts'

// Which file of the project imports which, and what it takes from it. The test of the architecture, `npm run
// test:changed` and `npm run without` ask it: nothing else says what belongs together.

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Of a file: what it imports from another one, or from a package. */
export type Import = {
  file: string
  /** A path from the root, or what is imported of a package. */
  target: string
  /** Its name, if it is one. */
  package?: string
  typeOnly: boolean
  /** What is taken: names of the other file's exports, or `*`. */
  names: string[]
  /** It is found by a pattern, and not named. */
  found?: true
}

export type Module = { file: string; source: string; tree: Node; imports: Import[] }

const folders = 'plugins,features,pages,drizzle,server,commands,development,brand,examples,languages,test,bench'
const sources = [`*.ts`, `{${folders}}/**/*.{ts,tsx}`]

/** Every module of the project, by its path from the root. */
export function readModules(patterns = sources, cwd = root) {
  const files = globSync(patterns, { cwd }).toSorted()
  return new Map(files.map((file) => [file, readModule(file, readFileSync(join(cwd, file), 'utf8'), cwd)]))
}

export function readModule(file: string, source: string, cwd = root): Module {
  const tree = parse(file, source)
  const imports = [...walk(tree)].flatMap((node) => importsAt(node, file, cwd))
  return { file, source, tree, imports }
}

function importsAt(node: Node, file: string, cwd: string): Import[] {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return linkAt(node, file)
    case 'CallExpression':
      return isGlob(node) ? globAt(node, file, cwd) : []
    case 'Literal':
      return pathAt(node, file, cwd)
    default:
      return []
  }
}

type Specifier = Node & { imported?: { name?: string }; local?: { name?: string }; importKind?: string }

function linkAt(node: Node, file: string): Import[] {
  const source = node.source as { value?: unknown } | null
  if (typeof source?.value !== 'string') return []
  const specifiers = (node.specifiers ?? []) as Specifier[]
  const takesAll = node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration'
  const names = specifiers.map((each) => takenBy(each))
  const isType = ({ importKind }: Specifier) => importKind === 'type'
  const typeOnly =
    node.importKind === 'type' || node.exportKind === 'type' || (specifiers.length > 0 && specifiers.every(isType))
  return [{ file, ...destinationOf(file, source.value), typeOnly, names: takesAll ? ['*'] : names }]
}

const destinationOf = (file: string, specifier: string) =>
  specifier.startsWith('.')
    ? { target: join(dirname(file), specifier) }
    : { target: specifier, package: /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier }

function takenBy({ type, imported, local }: Specifier) {
  if (type === 'ImportDefaultSpecifier') return 'default'
  if (type === 'ImportNamespaceSpecifier') return '*'
  return String((type === 'ExportSpecifier' ? local : imported)?.name)
}

const isGlob = ({ callee }: Node) => {
  const { object, property } = callee as { object?: Node; property?: { name?: string } }
  return object?.type === 'MetaProperty' && property?.name === 'glob'
}

/** What Vite makes of `import.meta.glob(patterns)`, where a pattern that begins with `!` excludes. */
function globAt(node: Node, file: string, cwd: string): Import[] {
  const [first] = node.arguments as Node[]
  const patterns = [...(first ? walk(first) : [])]
    .map(({ value }) => value)
    .filter((value) => typeof value === 'string')
  const exclude = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  const include = patterns.filter((pattern) => !pattern.startsWith('!'))
  const options = { cwd: join(cwd, dirname(file)) }
  const excluded = globSync(exclude, options)
  return globSync(include, options)
    .filter((path) => !excluded.includes(path))
    .map((path) => ({ file, target: join(dirname(file), path), typeOnly: false, names: ['default'], found: true }))
}

/** What `declare module` adds to. */
const namesIn = ({ body }: Node) => (body as Node[]).map(({ id }) => String((id as Node | undefined)?.name))

/** A path that is written as text, such as that of a worker. */
function pathAt(node: Node, file: string, cwd: string): Import[] {
  const { value, parent } = node
  if (typeof value !== 'string' || !/^\.\.?\/[\w./-]+\.\w+$/.test(value) || parent?.source === node) return []
  const { target } = destinationOf(file, value)
  const names = parent?.type === 'TSModuleDeclaration' ? namesIn(parent.body as Node) : ['*']
  return existsSync(join(cwd, target)) ? [{ file, target, typeOnly: false, names }] : []
}
