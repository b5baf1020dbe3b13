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
  /** Undefined if the prop was rescued. */
  value: unknown
}

type AnyProp = Prop<unknown, Arrival>

/**
 * Resolves a handler's props to what this visit receives. Closures run only if their value is sent, and all
 * concurrently. Returns synchronously if nothing was a promise, which is true of most pages.
 */
export function resolve(given: Tree, visit: Visit, log: Walk['log']): Resolved | Promise<Resolved> {
  const walk: Walk = { visit, log, labels: {}, sent: [] }
  const props = descend(walk, given, '', false)
  return after(props, (props) => label(walk, props))
}

// Runs once all values are there, so the order of labels does not depend on which was fastest.
function label({ labels, visit, sent }: Walk, props: Tree): Resolved {
  for (const { path, prop, value } of sent) {
    if (value !== undefined) labelSent(labels, visit, path, prop, value)
  }
  return { props, labels }
}

/** `chosen`: an enclosing prop was requested or computed as a whole, so the filters no longer apply. */
function descend(walk: Walk, given: Tree, above: string, chosen: boolean): Tree | Promise<Tree> {
  const tree: Tree = {}
  let waiting: Promise<void>[] | undefined
  for (const name of Object.keys(given)) {
    const value = resolveProp(walk, above === '' ? name : `${above}.${name}`, given[name], chosen)
    if (value === undefined) continue

    if (isPromise(value)) {
      put(tree, name, undefined) // reserves the key's position
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

/** Whether the client has the value already or will ask for it later. */
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

/** Resolves props inside the value, if there are any. */
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
