import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { type Node, parse, walk } from '../graph/syntax.ts'
import { cut } from './removal.ts'

/** Deletes the translations of what nobody says. */
export function pruneWords(said: ReadonlyMap<string, unknown>) {
  for (const file of globSync('languages/**/*.ts')) {
    const source = readFileSync(file, 'utf8')
    const unsaid = [...walk(parse(file, source))].filter((node) => isEntry(node) && !said.has(keyOf(node)))
    if (unsaid.length > 0) writeFileSync(file, cut(source, unsaid))
  }
}

/** Whether it is one of `words`, and not a form of a plural. */
function isEntry({ type, parent }: Node) {
  const owner = type === 'Property' ? parent?.parent : undefined
  const isWords = owner?.type === 'Property' ? keyOf(owner) === 'words' : namesWords(owner)
  return isWords
}

/** `export const words: Words = {…}`, with or without `satisfies`. */
function namesWords(node: Node | undefined): boolean {
  if (node?.type === 'TSSatisfiesExpression' || node?.type === 'TSAsExpression') return namesWords(node.parent)
  return node?.type === 'VariableDeclarator' && (node.id as Node).name === 'words'
}

const keyOf = ({ key }: Node) => {
  const { name, value } = (key ?? {}) as { name?: string; value?: string }
  return name ?? value ?? ''
}
