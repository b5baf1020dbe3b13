import type { FastifyBaseLogger } from 'fastify'
import { labelDeferred, labelOnce, labelSent } from './labels.ts'
import type { Labels } from './pages.ts'
import { Prop, type Traits } from './props.ts'
import { isNamed, type Visit, wants } from './visit.ts'

export type Tree = Record<string, unknown>

interface Walk {
  visit: Visit
  log: Pick<FastifyBaseLogger, 'warn'>
  labels: Labels
  sent: { path: string; traits: Traits; value: unknown }[]
}

/**
 * Resolves a handler's props to what this visit receives. Closures run concurrently, and only if their value is sent.
 */
export async function resolve(tree: Tree, visit: Visit, log: Walk['log']) {
  const labels: Labels = {}
  const sent: Walk['sent'] = []
  const props = await descend({ visit, log, labels, sent }, tree, '', false)
  // Labelled once all values are there, so the order does not depend on which was fastest.
  for (const { path, traits, value } of sent) {
    if (value !== undefined) labelSent(labels, visit, path, traits, value)
  }
  return { props, labels }
}

/** `chosen`: an enclosing prop was requested or computed as a whole, so the filters no longer apply. */
async function descend(walk: Walk, tree: Tree, above: string, chosen: boolean) {
  const names = Object.keys(tree)
  const values = await Promise.all(
    names.map((name) => resolveProp(walk, above === '' ? name : `${above}.${name}`, tree[name], chosen)),
  )
  const entries = names.map((name, index) => [name, values[index]]).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) // it takes a key such as `__proto__` as it is
}

async function resolveProp(walk: Walk, path: string, source: unknown, chosen: boolean) {
  const prop = source instanceof Prop ? source : undefined
  const unwanted = walk.visit.partial && !chosen && prop?.traits.delivery !== 'always' && !wants(walk.visit, path)
  if (unwanted || (prop && isLeftOut(walk, path, prop.traits))) return undefined

  if (!prop) return isClosure(source) ? nest(walk, path, await source(), true) : nest(walk, path, source, chosen)

  const sent = { path, traits: prop.traits, value: undefined as unknown }
  walk.sent.push(sent)
  try {
    sent.value = await (isClosure(prop.source) ? prop.source() : prop.source)
  } catch (error) {
    if (!prop.traits.rescue) throw error

    walk.log.warn({ err: error, prop: path }, 'a deferred prop was left out because it failed')
    walk.labels.rescuedProps ??= []
    walk.labels.rescuedProps.push(path)
    return undefined
  }
  return nest(walk, path, sent.value, true)
}

/** Whether the client has the value already or will ask for it later. */
function isLeftOut({ labels, visit }: Walk, path: string, traits: Traits) {
  const { delivery, once } = traits
  if (once && !once.fresh && visit.clientOnceKeys.includes(once.key ?? path) && !isNamed(visit, path)) {
    labelOnce(labels, path, once)
    return true
  }
  if (visit.partial || (delivery !== 'optional' && delivery !== 'deferred')) return false

  if (delivery === 'deferred') labelDeferred(labels, visit, path, traits)
  else if (once) labelOnce(labels, path, once)
  return true
}

function nest(walk: Walk, path: string, value: unknown, chosen: boolean): unknown {
  if (!isPlain(value)) return value

  const filtered = walk.visit.partial && !chosen
  return filtered || holdsProps(value) ? descend(walk, value, path, chosen) : value
}

function holdsProps(value: Tree): boolean {
  for (const name in value) {
    const inner = value[name]
    if (typeof inner === 'function' || inner instanceof Prop || (isPlain(inner) && holdsProps(inner))) return true
  }
  return false
}

const isClosure = (value: unknown): value is () => unknown => typeof value === 'function'

function isPlain(value: unknown): value is Tree {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** `a.b` is `b` in `a`. Copies existing objects on the way. */
export function putAt(tree: Tree, name: string, value: unknown) {
  const [outer = '', ...inner] = name.split('.')
  const existing = Object.hasOwn(tree, outer) ? tree[outer] : undefined
  const copy = isPlain(existing) ? { ...existing } : {}
  if (inner.length > 0) putAt(copy, inner.join('.'), value)
  tree[outer] = inner.length > 0 ? copy : value
}
