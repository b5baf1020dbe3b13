import type { Module } from '../graph/modules.ts'
import { type Node, namesBoundBy, walk } from '../graph/syntax.ts'

// What an option declares, read from its own files: what people and programs will miss.

const interfaces: [RegExp, string][] = [
  [/^FeatureLimits$/, 'limits'],
  [/Activities$/, 'activities'],
  [/^Mails$/, 'mails'],
  [/^Jobs$/, 'jobs'],
]
const kindOf = (name: string) => interfaces.find(([pattern]) => pattern.test(name))?.[1]

/** Names by kind: routes, tables, settings, limits, activities, mails and exports. */
export function declaredBy(modules: Module[]) {
  const found = new Map<string, Set<string>>()
  const add = (kind: string, name: string) => found.set(kind, (found.get(kind) ?? new Set()).add(name))
  for (const { tree, source, file } of modules) {
    const isProduction = /^(features|plugins|drizzle|pages)\//.test(file)
    if (!isProduction) continue
    for (const node of walk(tree)) {
      const route = routeAt(node, source)
      if (route) add('routes', route)
      const table = tableAt(node)
      if (table) add('tables', table)
      const kind = node.type === 'TSInterfaceDeclaration' && kindOf(String((node.id as Node).name))
      if (kind) for (const name of keysOf(node.body as Node)) add(kind, name)
      if (node.type === 'ExportNamedDeclaration') for (const name of namesBoundBy(node)) add('exports', name)
    }
  }
  return found
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

function routeAt(node: Node, source: string) {
  if (node.type !== 'CallExpression') return undefined
  const { property } = node.callee as { property?: Node }
  const [first, second] = node.arguments as Node[]
  if (!property || !first || !second || !methods.includes(String(property.name))) return undefined
  const isPath = first.type === 'TemplateLiteral' || (typeof first.value === 'string' && first.value.startsWith('/'))
  return isPath ? `${String(property.name).toUpperCase()} ${source.slice(first.start + 1, first.end - 1)}` : undefined
}

function tableAt(node: Node) {
  const isTable = node.type === 'CallExpression' && (node.callee as Node).name === 'pgTable'
  return isTable ? String((node.arguments as Node[])[0]?.value) : undefined
}

const keysOf = (body: Node) =>
  (body.body as Node[]).flatMap(({ key }) => {
    const { name, value } = (key ?? {}) as { name?: string; value?: string }
    return name ?? value ?? []
  })
