export type Tree = Record<string, unknown>

export function isPlain(value: unknown): value is Tree {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Assigns, also where the key came in with somebody's data. */
export function put(tree: Tree, name: string, value: unknown) {
  // Assigning to this name would replace the prototype instead.
  if (name === '__proto__')
    Object.defineProperty(tree, name, { value, enumerable: true, writable: true, configurable: true })
  else tree[name] = value
}

/** Puts a value under a dotted name, `a.b` being `b` in `a`; what lies there already stays, and is not written to. */
export function putAt(tree: Tree, name: string, value: unknown) {
  const dot = name.indexOf('.')
  if (dot === -1) return put(tree, name, value)

  const outer = name.slice(0, dot)
  const there = Object.hasOwn(tree, outer) ? tree[outer] : undefined
  const copy = isPlain(there) ? { ...there } : {}
  putAt(copy, name.slice(dot + 1), value)
  put(tree, outer, copy)
}
