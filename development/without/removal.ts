import type { Module } from '../graph/modules.ts'
import { childrenOf, isNode, isReference, type Node, namesBoundBy, walk } from '../graph/syntax.ts'

// Takes what is gone out of a module: whole statements and members, and nothing else.

/** What a module is left with, or the lines where more than a statement or a member would have to go. */
export type Remainder = { source: string; goneExports: string[] } | { broken: { line: number; text: string }[] }

/** What is gone: a whole file, or some of a file's exports. */
export type Gone = { file(target: string, importer: string): boolean; exports(target: string): string[] }

/** Undefined if the module uses nothing of what is gone. */
export function withoutGone(module: Module, gone: Gone): Remainder | undefined {
  const { tree, file, imports } = module
  if (!imports.some(({ target }) => gone.file(target, file) || gone.exports(target).length > 0)) return undefined
  const nodes = [...walk(tree)]
  const removed = new Set<Node>()
  const names = new Set<string>()
  const broken: Node[] = []

  for (const node of nodes) {
    for (const link of linksAt(node, module, file)) {
      if (gone.file(link, file)) {
        if (/^(Import|Export\w+)Declaration$/.test(node.type)) {
          removed.add(node)
          for (const specifier of (node.specifiers ?? []) as Node[])
            if (node.type === 'ImportDeclaration') names.add(localOf(specifier))
        } else remove(node)
      } else {
        const lost = gone.exports(link)
        const specifiers = ((node.specifiers ?? []) as Node[]).filter((each) => lost.includes(takenBy(each)))
        if (specifiers.length === 0) continue
        if (specifiers.length === (node.specifiers as Node[]).length) removed.add(node)
        else for (const specifier of specifiers) removed.add(specifier)
        if (node.type === 'ImportDeclaration') for (const specifier of specifiers) names.add(localOf(specifier))
      }
    }
  }
  if (removed.size === 0 && broken.length === 0) return undefined

  // A declaration that goes takes its own names along.
  const seen = new Set<Node>()
  for (let before = -1; before !== names.size; ) {
    before = names.size
    for (const node of nodes) {
      if (seen.has(node) || !names.has(String(node.name)) || !isReference(node) || isInside(node, removed)) continue
      seen.add(node)
      if (isShadowed(node, removed)) continue
      remove(node)
    }
  }
  if (broken.length > 0) return { broken: broken.map((node) => placeOf(node, module.source)) }
  const goneExports = [...removed].flatMap(exportsOf)
  return { source: cut(module.source, [...removed]), goneExports }

  function remove(node: Node) {
    const whole = testAround(node) ?? wholeAround(node)
    if (!whole) return broken.push(node)
    removed.add(whole)
    if (/Declaration$/.test(whole.type)) for (const name of namesBoundBy(whole)) names.add(name)
  }
}

function linksAt(node: Node, { imports }: Module, file: string) {
  const value = isNode(node.source) ? (node.source as Node).value : node.type === 'Literal' ? node.value : undefined
  if (typeof value !== 'string' || !value.startsWith('.')) return []
  if (node.type === 'Literal' && (node.parent as Node | undefined)?.source === node) return []
  const { pathname } = new URL(value, `file:///${file}`)
  return imports.some(({ target }) => `/${target}` === pathname) ? [pathname.slice(1)] : []
}

const localOf = (specifier: Node) => String((specifier.local as Node).name)

const takenBy = ({ type, imported, local }: Node) => {
  if (type === 'ImportDefaultSpecifier') return 'default'
  return String(((type === 'ExportSpecifier' ? local : imported) as Node | undefined)?.name)
}

/** What a use stands in on the way up without being read, chosen or combined with something that stays. */
const passed = new Set(
  `Identifier JSXIdentifier MemberExpression CallExpression NewExpression AwaitExpression ImportExpression ChainExpression
  ObjectExpression ArrayExpression Literal VariableDeclarator VariableDeclaration ExpressionStatement SpreadElement
  TSAsExpression TSSatisfiesExpression ParenthesizedExpression JSXOpeningElement JSXMemberExpression TSTypeReference
  TSQualifiedName TSTypeQuery
  TSImportType TSTypeParameterInstantiation TSIndexedAccessType TSTypeOperator TSArrayType TSExpressionWithTypeArguments
  TSTypeAnnotation TSTypeAliasDeclaration TSInterfaceBody TSInterfaceHeritage ExportNamedDeclaration`.split(/\s+/),
)

/** The smallest whole statement or member that a use stands in; undefined if it is a part of something that stays. */
function wholeAround(node: Node): Node | undefined {
  const { parent } = node
  if (!parent) return undefined
  if (isStatementIn(node, parent) || isMemberOf(node, parent)) return node
  const isOnlyBranch = parent.type === 'IfStatement' && parent.consequent === node && !parent.alternate
  if (isOnlyBranch && isStatementIn(parent, parent.parent)) return parent
  const isBody = node.type !== 'BlockStatement' && parent.type === 'ArrowFunctionExpression' && parent.body === node
  const isPart = (Array.isArray(parent.params) && parent.params.includes(node)) || parent.returnType === node
  if (isPart || !(isBody || passed.has(node.type) || node.type === 'ArrowFunctionExpression')) return undefined
  return wholeAround(parent)
}

/** The test, `t.test('a sentence', …)`, that a use stands in: it would be about something else without it. */
function testAround({ parent }: Node): Node | undefined {
  if (!parent) return undefined
  if (parent.type !== 'ExpressionStatement' || !isTest(parent.expression as Node)) return testAround(parent)
  // A loop that does nothing but such tests goes with them.
  const { parent: block } = parent
  const loop = block?.type === 'BlockStatement' && (block.body as Node[]).length === 1 ? block.parent : block
  return /^For(Of|In)?Statement$/.test(String(loop?.type)) ? loop : parent
}

function isTest({ type, argument, callee }: Node): boolean {
  if (type === 'AwaitExpression') return isTest(argument as Node)
  const { object, property } = (callee ?? {}) as { object?: Node; property?: Node }
  return type === 'CallExpression' && object?.name === 't' && property?.name === 'test'
}

const lists: Record<string, string[]> = {
  Program: ['body'],
  BlockStatement: ['body'],
  StaticBlock: ['body'],
  SwitchCase: ['consequent'],
  TSModuleBlock: ['body'],
}

const isIn = (node: Node, parent: Node, keys: string[] = []) =>
  keys.some((key) => Array.isArray(parent[key]) && parent[key].includes(node))

const isStatementIn = (node: Node, parent: Node | undefined) =>
  parent !== undefined && isIn(node, parent, lists[parent.type])

const members: Record<string, string[]> = {
  ObjectExpression: ['properties'],
  ArrayExpression: ['elements'],
  TSUnionType: ['types'],
  TSIntersectionType: ['types'],
  TSInterfaceBody: ['body'],
  TSTypeLiteral: ['members'],
  TSInterfaceDeclaration: ['extends'],
  ClassBody: ['body'],
  ImportDeclaration: ['specifiers'],
  ExportNamedDeclaration: ['specifiers'],
  JSXElement: ['children'],
  JSXFragment: ['children'],
  TSTupleType: ['elementTypes'],
}

const isMemberOf = (node: Node, parent: Node) => isIn(node, parent, members[parent.type])

function isInside(node: Node, removed: Set<Node>) {
  for (let at: Node | undefined = node; at; at = at.parent) if (removed.has(at)) return true
  return false
}

/** Whether a parameter or variable of a function around has this name, so that it isn't the module's. */
function isShadowed(node: Node, removed: Set<Node>) {
  const name = String(node.name)
  for (let at = node.parent; at?.parent; at = at.parent) {
    const parameters = (Array.isArray(at.params) ? at.params.filter(isNode) : []).flatMap(namesBoundBy)
    const locals = at.type === 'BlockStatement' ? childrenOf(at).filter((each) => !removed.has(each)) : []
    if ([...parameters, ...locals.flatMap(namesBoundBy)].includes(name)) return true
  }
  return false
}

function exportsOf(node: Node): string[] {
  if (node.type === 'ExportSpecifier') return [String((node.exported as Node).name)]
  if (node.type === 'ExportDefaultDeclaration') return ['default']
  if (node.type !== 'ExportNamedDeclaration') return []
  const specifiers = (node.specifiers as Node[]).map((each) => String((each.exported as Node).name))
  return [...specifiers, ...namesBoundBy(node)]
}

function placeOf(node: Node, source: string) {
  const line = source.slice(0, node.start).split('\n').length
  return { line, text: source.split('\n')[line - 1]?.trim() ?? '' }
}

/** The source without these nodes, the comments above them, and the commas that parted them from what stays. */
export function cut(source: string, nodes: Node[]) {
  const all = new Set(nodes)
  const outermost = nodes.filter(({ parent }) => !parent || !isInside(parent, all))
  let result = source
  for (const node of outermost.toSorted((one, other) => other.start - one.start)) {
    const [before, after] = withoutSeparator(node, result.slice(0, node.start), result.slice(node.end))
    const isAlone = /(^|\n)[ \t]*$/.test(before) && /^[ \t]*(\/\/.*)?(\n|$)/.test(after)
    result = isAlone ? withoutComment(before) + after.replace(/^.*\n?/, '') : before + after
  }
  return result
}

function withoutSeparator({ type, parent }: Node, before: string, after: string): [string, string] {
  const separator = { TSUnionType: '|', TSIntersectionType: '&' }[String(parent?.type)]
  if (separator) {
    if (before.trimEnd().endsWith(separator)) return [before.trimEnd().slice(0, -1).trimEnd(), after]
    return [before, after.trimStart().slice(1)]
  }
  const isListed =
    /Specifier$/.test(type) ||
    /^(Object(Expression|Pattern)|ArrayExpression)$|^TS(TupleType|InterfaceDeclaration)$/.test(String(parent?.type))
  if (!isListed) return [before, after]
  const comma = /^\s*,/.exec(after)?.[0]
  return comma ? [before, after.slice(comma.length).replace(/^ +/, '')] : [before.replace(/,\s*$/, ''), after]
}

/** Without the comment that ends right above, which is about what stood below it. */
function withoutComment(before: string) {
  const lines = before.split('\n').slice(0, -1)
  while (/^\s*(\/\/|\/\*|\*)/.test(lines.at(-1) ?? '')) lines.pop()
  return lines.map((line) => `${line}\n`).join('')
}
