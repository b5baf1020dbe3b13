import { isTest } from '../graph/concerned.ts'
import { type Module, readModule } from '../graph/modules.ts'
import { type Gone, withoutGone } from './removal.ts'
import { takenExports, withoutUnused } from './unused.ts'

export type Broken = { file: string; line: number; text: string }

/** What the modules become when some files are gone: those that change with their new source, and all that go along. */
export type Plan = { changed: Map<string, string>; gone: Set<string>; broken: Broken[]; modules: Map<string, Module> }

/**
 * Follows imports until nothing changes. Writes nothing. `tables` are the option's, which stay until they are dropped:
 * only the schema may still name them.
 */
export function planWithout(files: string[], before: Map<string, Module>, tables: string[] = [], cwd?: string): Plan {
  const gone = new Set(files)
  const isGone = (target: string, importer: string) =>
    gone.has(target) || (tables.includes(target) && !importer.startsWith('drizzle/'))
  const goneExports = new Map<string, string[]>()
  const modules = new Map([...before].filter(([file]) => !gone.has(file)))
  const taken = takenExports(before, isUse)
  const importers = importersIn(before)
  const broken: Broken[] = []
  const lose = (file: string, names: string[]) => {
    if (names.length > 0) goneExports.set(file, [...(goneExports.get(file) ?? []), ...names])
  }
  const change = (file: string, source: string) => modules.set(file, readModule(file, source, cwd))

  for (let isDone = false; !isDone; ) {
    isDone = true
    const missing: Gone = { file: isGone, exports: (target) => goneExports.get(target) ?? [] }
    for (const module of modules.values()) {
      const left = withoutGone(module, missing)
      if (!left) continue
      if ('broken' in left) {
        broken.push(...left.broken.map((place) => ({ file: module.file, ...place })))
        modules.delete(module.file) // named once
        continue
      }
      isDone = false
      change(module.file, left.source)
      lose(module.file, left.goneExports)
    }
    if (broken.length > 0) return { changed: new Map(), gone, broken, modules }
    if (!isDone) continue

    for (const file of [...deserted(modules, importers), ...emptied(modules, before)]) {
      isDone = false
      gone.add(file)
      modules.delete(file)
    }
    const takenNow = takenExports(modules, isUse)
    for (const module of modules.values()) {
      const was = taken.get(module.file) ?? new Set()
      const is = takenNow.get(module.file) ?? new Set()
      if (module === before.get(module.file) && was.isSubsetOf(is)) continue
      const left = withoutUnused(
        module,
        before.get(module.file),
        (name) => !was.has(name) || is.has(name) || is.has('*'),
      )
      if (!left) continue
      isDone = false
      change(module.file, left.source)
      lose(module.file, left.goneExports)
    }
  }
  const changed = [...modules.values()].filter(({ file, source }) => before.get(file)?.source !== source)
  return { changed: new Map(changed.map(({ file, source }) => [file, source])), gone, broken, modules }
}

function importersIn(modules: Map<string, Module>) {
  const importers = new Map<string, Set<string>>()
  for (const { file, imports } of modules.values())
    for (const { target } of imports) {
      if (file === mirrorOf(target) || !isUse(file, target)) continue
      importers.set(target, (importers.get(target) ?? new Set()).add(file))
    }
  return importers
}

/** What only tests use is no longer used. */
const isProduction = (file: string) => /^(plugins|features|server|commands|drizzle|pages)\//.test(file)
const isOfTests = (file: string) => /^(test|bench)\/|\.test\.ts$/.test(file)

const isUse = (importer: string, target: string) => !isProduction(target) || !isOfTests(importer)

/** Where the tests of this file alone stand. */
const mirrorOf = (file: string) => `test/${file.replace(/^features\//, '').replace(/\.tsx?$/, '.test.ts')}`

/** Files that somebody imported before and nobody does now, with their tests. */
function deserted(modules: Map<string, Module>, before: Map<string, Set<string>>) {
  const now = importersIn(modules)
  const isLeft = ({ file, source }: Module) => before.has(file) && !now.has(file) && !source.includes('@public')
  const files = [...modules.values()].filter(isLeft).map(({ file }) => file)
  return [...files, ...files.map(mirrorOf).filter((file) => modules.has(file))]
}

/** Files of tests that had some and have none any more. */
function emptied(modules: Map<string, Module>, before: Map<string, Module>) {
  const hasTests = (module: Module | undefined) => module?.source.includes('t.test(')
  return [...modules.values()]
    .filter((module) => isTest(module.file) && hasTests(before.get(module.file)) && !hasTests(module))
    .map(({ file }) => file)
}

/** The packages that files import: of production, and of what builds and tests it. */
export function packagesOf(modules: Map<string, Module>) {
  const all = [...modules.values()].flatMap(({ imports }) => imports.flatMap((each) => each.package ?? []))
  return new Set(all)
}

/** Those that are installed without what builds and tests it. */
export const packagesOfProduction = (modules: Map<string, Module>) =>
  packagesOf(new Map([...modules].filter(([file]) => !others.test(file))))

const others = /^(pages|development|brand|examples|test|bench)\/|^(vite|drizzle)\.config/
