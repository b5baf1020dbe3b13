import type { Module } from '../graph/modules.ts'
import { isReference, type Node, walk } from '../graph/syntax.ts'

/** An export that is called otherwise: the file that declares it, its name and the new one. */
export type Rename = { file: string; from: string; to: string }

/** The source with renamed exports, in the file that declares them and in those that import them from there. */
export function withRenamed(module: Module, renames: Rename[]) {
  const nodes = [...walk(module.tree)]
  const edits = renames.flatMap(({ file, from, to }) => {
    const isOwn = module.file === file
    const imported = module.imports.some(({ target, names }) => target === file && names.includes(from))
    if (!isOwn && !imported) return []
    const specifiers = nodes.filter((node) => isSpecifierOf(node, from))
    const isAliased = specifiers.some(
      ({ type, local, imported }) => type === 'ImportSpecifier' && (local as Node).name !== (imported as Node).name,
    )
    const used = nodes.filter((node) => node.name === from && (isReference(node) || isDeclaration(node)))
    const named = specifiers.map((node) =>
      node.type === 'ImportSpecifier' ? (node.imported as Node) : (node.local as Node),
    )
    const touched = new Set(isAliased ? named : [...used, ...named])
    return Array.from(touched, (node) => {
      const { parent } = node
      const isShorthand = parent?.type === 'Property' && parent.shorthand === true
      return { start: node.start, end: node.end, text: isShorthand ? `${from}: ${to}` : to }
    })
  })
  const unique = new Map(edits.map((edit) => [edit.start, edit]))
  let result = module.source
  for (const { start, end, text } of [...unique.values()].toSorted((one, other) => other.start - one.start))
    result = result.slice(0, start) + text + result.slice(end)
  return result
}

const isSpecifierOf = ({ type, imported, local }: Node, name: string) =>
  (type === 'ImportSpecifier' && (imported as Node).name === name) ||
  (type === 'ExportSpecifier' && (local as Node).name === name)

function isDeclaration({ parent, name }: Node) {
  return parent !== undefined && (parent.id as Node | undefined)?.name === name
}
