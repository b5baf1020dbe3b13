import { parseSync } from 'vite'

/** A node of the syntax tree, as ESTree and its TypeScript extension name them. */
export type Node = { type: string; start: number; end: number; parent?: Node } & Record<string, unknown>

export function parse(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  return program as unknown as Node
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]) => (key === 'parent' ? [] : nodesIn(value)))
}

const nodesIn = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.filter(isNode)
  return isNode(value) ? [value] : []
}

/** The node and all below it. Each knows its parent afterwards. */
export function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) {
    child.parent = node
    yield* walk(child)
  }
}

/** Whether this identifier reads the value or type of that name, and isn't the name of a property or a declaration. */
export function isReference(node: Node) {
  const { parent } = node
  if (!parent || !['Identifier', 'JSXIdentifier'].includes(node.type)) return false
  switch (parent.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed === true
    case 'TSQualifiedName':
      return parent.left === node
    case 'JSXMemberExpression':
      return parent.object === node
    case 'Property':
      return parent.value === node || parent.computed === true
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'TSEnumMember':
      return parent.key !== node || parent.computed === true
    case 'ExportSpecifier':
      return parent.local === node && !isNode(parent.parent?.source)
    case 'JSXAttribute':
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'LabeledStatement':
    case 'TSNamedTupleMember':
    case 'TSTypeParameter':
    case 'ImportAttribute':
      return false
    default:
      return !isDeclared(node, parent)
  }
}

function isDeclared(node: Node, parent: Node) {
  const declares =
    /^(VariableDeclarator|(TSDeclare)?Function(Declaration|Expression)?|Class(Declaration|Expression)|TS(Interface|TypeAlias|Enum|Module)Declaration)$/
  return declares.test(parent.type) && parent.id === node
}

/** The names that a declaration, or a pattern such as `{ a, b: [c] }`, binds. */
export function namesBoundBy(node: Node | null | undefined): string[] {
  if (!node) return []
  switch (node.type) {
    case 'Identifier':
      return [String(node.name)]
    case 'VariableDeclaration':
      return nodesIn(node.declarations).flatMap((each) => namesBoundBy(each.id as Node))
    case 'ObjectPattern':
      return nodesIn(node.properties).flatMap((each) => namesBoundBy((each.value ?? each.argument) as Node))
    case 'ArrayPattern':
      return nodesIn(node.elements).flatMap(namesBoundBy)
    case 'AssignmentPattern':
      return namesBoundBy(node.left as Node)
    case 'RestElement':
      return namesBoundBy(node.argument as Node)
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return namesBoundBy(node.declaration as Node)
    default:
      return isNode(node.id) && node.id.type === 'Identifier' ? [String(node.id.name)] : []
  }
}
