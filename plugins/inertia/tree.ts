export type Tree = Record<string, unknown>

export function isPlain(value: unknown): value is Tree {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Safe assignment for keys that may come from user data. */
export function put(tree: Tree, name: string, value: unknown) {
  // A plain assignment to `__proto__` would replace the prototype.
  if (name === '__proto__')
    Object.defineProperty(tree, name, { value, enumerable: true, writable: true, configurable: true })
  else tree[name] = value
}

/**
 * Sets a value under a dotted name: `a.b` is `b` in `a`. Copies existing objects on the way instead of mutating them.
 */
export function putAt(tree: Tree, name: string, value: unknown) {
  const dot = name.indexOf('.')
  if (dot === -1) return put(tree, name, value)

  const outer = name.slice(0, dot)
  const there = Object.hasOwn(tree, outer) ? tree[outer] : undefined
  const copy = isPlain(there) ? { ...there } : {}
  putAt(copy, name.slice(dot + 1), value)
  put(tree, outer, copy)
}
