import type { Module } from '../graph/modules.ts'
import { isReference, type Node, namesBoundBy, walk } from '../graph/syntax.ts'
import { cut } from './removal.ts'

/** Which exports of each file another one takes, that of an importer which counts. */
export function takenExports(
  modules: Map<string, Module>,
  counts: (importer: string, target: string) => boolean = () => true,
) {
  const taken = new Map<string, Set<string>>()
  for (const { file, imports } of modules.values())
    for (const { target, names } of imports.filter((each) => counts(file, each.target))) {
      const all = taken.get(target) ?? new Set()
      for (const name of names) all.add(name)
      taken.set(target, all)
    }
  return taken
}

/** What a module declares at its top, by name, with the names that its other statements mention. */
function declarationsIn({ tree }: Module) {
  const statements = tree.body as Node[]
  return statements.flatMap((statement) => {
    const isExported = statement.type === 'ExportNamedDeclaration' && statement.declaration !== null
    if (statement.type === 'ImportDeclaration')
      return (statement.specifiers as Node[]).map((node) => ({
        node: (statement.specifiers as Node[]).length > 1 ? node : statement,
        names: [String((node.local as Node).name)],
        isExported: false,
        statement,
      }))
    if (!isExported && !/^(TS\w+|Variable|Function|Class)Declaration$/.test(statement.type)) return []
    if (statement.type === 'TSModuleDeclaration') return []
    return [{ node: statement, names: namesBoundBy(statement), isExported, statement }]
  })
}

/** Of `const { a, b } = …`: each of them. */
function partsOf({ type, declarations }: Node) {
  const [only, another] = type === 'VariableDeclaration' ? (declarations as Node[]) : []
  const { type: pattern, properties } = (only?.id ?? {}) as Node
  return pattern === 'ObjectPattern' && !another
    ? (properties as Node[]).filter((each) => each.type === 'Property')
    : []
}

/** Which of a module's declarations none of its other statements reads. */
function unreadIn(module: Module) {
  const references = [...walk(module.tree)].filter(isReference)
  const isUnread = (names: string[], { start, end }: Node) =>
    names.length > 0 &&
    !references.some((each) => names.includes(String(each.name)) && (each.start < start || each.start >= end))
  return declarationsIn(module).flatMap((declaration) => {
    const { names, statement } = declaration
    if (isUnread(names, statement)) return [declaration]
    return partsOf(declaration.node).flatMap((node) => {
      const own = namesBoundBy(node.value as Node)
      return isUnread(own, statement) ? [{ ...declaration, node, names: own }] : []
    })
  })
}

/** What products use, as its comment says for knip, too. */
export const isPublic = (source: string) => /@public\s+\*\/\s*$/.test(source)

/**
 * The module without declarations that nothing reads any more, and no product. Undefined if there are none. What nobody
 * read `before` stays, and so does the word `export` where only the file itself reads it: each line that a copy changes
 * is one that conflicts with the next version.
 */
export function withoutUnused(module: Module, before: Module | undefined, isTaken: (name: string) => boolean) {
  const unreadBefore = new Set(before && unreadIn(before).flatMap(({ names }) => names))
  const isNeeded = (names: string[], statement: Node) =>
    names.some(isTaken) || isPublic(module.source.slice(0, statement.start))
  const unneeded = unreadIn(module).filter(({ names, isExported, statement }) =>
    isExported ? !isNeeded(names, statement) : !names.some((name) => unreadBefore.has(name)),
  )
  // An import goes as a whole with the last of its names.
  const removed = unneeded.map(({ node, statement }) => {
    const isWhole = ((statement.specifiers ?? []) as Node[]).every((each) => unneeded.some((one) => one.node === each))
    return statement.type === 'ImportDeclaration' && isWhole ? statement : node
  })
  if (removed.length === 0) return undefined
  const goneExports = unneeded.flatMap(({ names, isExported }) => (isExported ? names : []))
  return { source: cut(module.source, [...new Set(removed)]), goneExports }
}
