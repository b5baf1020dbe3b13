import type { FastifyBaseLogger } from 'fastify'
import { labelDeferred, labelOnce, labelSent } from './labels.ts'
import type { Labels } from './pages.ts'
import { after, attempt, isPromise } from './promises.ts'
import { type Arrival, Prop } from './props.ts'
import { isPlain, put, type Tree } from './tree.ts'
import { isNamed, type Visit, wants } from './visit.ts'

export interface Resolved {
  props: Tree
  labels: Labels
}

interface Walk {
  visit: Visit
  log: Pick<FastifyBaseLogger, 'warn'>
  labels: Labels
  sent: Sent[]
}

interface Sent {
  path: string
  prop: AnyProp
  /** Stays undefined when the prop was rescued. */
  value: unknown
}

type AnyProp = Prop<unknown, Arrival>

/**
 * Turns what a handler gave into what this visit receives. Closures run only when their value is sent, and all at once.
 * It answers without a promise when nothing was one: most pages wait for nothing.
 */
export function resolve(given: Tree, visit: Visit, log: Walk['log']): Resolved | Promise<Resolved> {
  const walk: Walk = { visit, log, labels: {}, sent: [] }
  const props = descend(walk, given, '', false)
  return after(props, (props) => label(walk, props))
}

// Once all values are there, so that the order of the labels does not depend on which was fastest.
function label({ labels, visit, sent }: Walk, props: Tree): Resolved {
  for (const { path, prop, value } of sent) {
    if (value !== undefined) labelSent(labels, visit, path, prop, value)
  }
  return { props, labels }
}

/** `chosen`: what is around these props was asked for or computed as a whole, and the filters stop there. */
function descend(walk: Walk, given: Tree, above: string, chosen: boolean): Tree | Promise<Tree> {
  const tree: Tree = {}
  let waiting: Promise<void>[] | undefined
  for (const name of Object.keys(given)) {
    const value = resolveProp(walk, above === '' ? name : `${above}.${name}`, given[name], chosen)
    if (value === undefined) continue

    if (isPromise(value)) {
      put(tree, name, undefined) // keeps the place of the key
      waiting ??= []
      waiting.push(value.then((value) => put(tree, name, value)))
    } else {
      put(tree, name, value)
    }
  }
  return waiting ? Promise.all(waiting).then(() => tree) : tree
}

function resolveProp(walk: Walk, path: string, given: unknown, chosen: boolean): unknown {
  const prop = given instanceof Prop ? given : undefined
  const unwanted = walk.visit.partial && !chosen && prop?.traits.delivery !== 'always' && !wants(walk.visit, path)
  if (unwanted || (prop && isLeftOut(walk, path, prop))) return undefined

  if (!prop)
    return isClosure(given)
      ? after(attempt(given), (value) => nest(walk, path, value, true))
      : nest(walk, path, given, chosen)

  const sent: Sent = { path, prop, value: undefined }
  walk.sent.push(sent)
  const settle = (value: unknown) => {
    sent.value = value
    return nest(walk, path, value, true)
  }
  const value = isClosure(prop.source) ? attempt(prop.source) : prop.source
  return isPromise(value) ? value.then(settle, (error) => rescue(walk, path, prop, error)) : settle(value)
}

/** Whether the client has the value, or will ask for it. */
function isLeftOut({ labels, visit }: Walk, path: string, prop: AnyProp) {
  const { delivery, once } = prop.traits
  if (once && visit.held.includes(once.key ?? path) && !isNamed(visit, path)) {
    labelOnce(labels, path, once)
    return true
  }
  if (visit.partial || (delivery !== 'optional' && delivery !== 'deferred')) return false

  if (delivery === 'deferred') labelDeferred(labels, visit, path, prop)
  else if (once) labelOnce(labels, path, once)
  return true
}

/** A value, or what becomes of it where props lie in it. */
function nest(walk: Walk, path: string, value: unknown, chosen: boolean): unknown {
  if (!isPlain(value)) return value

  const filtered = walk.visit.partial && !chosen
  return filtered || holdsProps(value) ? descend(walk, value, path, chosen) : value
}

function rescue({ labels, log }: Walk, path: string, prop: AnyProp, error: unknown) {
  if (!prop.traits.rescue) throw error

  log.warn({ err: error, prop: path }, 'a deferred prop was left out because it failed')
  labels.rescuedProps ??= []
  labels.rescuedProps.push(path)
}

function holdsProps(value: Tree): boolean {
  for (const name in value) {
    const inner = value[name]
    if (typeof inner === 'function' || inner instanceof Prop || (isPlain(inner) && holdsProps(inner))) return true
  }
  return false
}

const isClosure = (given: unknown): given is () => unknown => typeof given === 'function'
