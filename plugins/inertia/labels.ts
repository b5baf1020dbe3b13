import type { Labels } from './pages.ts'
import type { Merging, OnceOptions, Prop, Timing, Traits } from './props.ts'
import { type Visit, wantsAll } from './visit.ts'

/** Labels a prop whose value is on the page. */
export function labelSent(
  labels: Labels,
  visit: Visit,
  path: string,
  { traits }: Prop<unknown, Timing>,
  value: unknown,
) {
  if (visit.partial && !wantsAll(visit, path)) return

  labelMerges(labels, visit, path, traits)
  if (traits.scroll) labelScroll(labels, visit, path, traits.scroll, value)
  if (traits.once) labelOnce(labels, path, traits.once)
}

/** Labels a prop that the client will request later. */
export function labelDeferred(labels: Labels, visit: Visit, path: string, { traits }: Prop<unknown, Timing>) {
  const group = traits.group ?? 'default'
  labels.deferredProps ??= {}
  labels.deferredProps[group] ??= []
  labels.deferredProps[group].push(path)

  labelMerges(labels, visit, path, traits)
  if (traits.once) labelOnce(labels, path, traits.once)
}

export function labelOnce(labels: Labels, path: string, { key = path, expiresInMs }: OnceOptions) {
  labels.onceProps ??= {}
  labels.onceProps[key] =
    expiresInMs === undefined ? { prop: path } : { prop: path, expiresAt: Date.now() + expiresInMs }
}

function labelMerges(labels: Labels, visit: Visit, path: string, traits: Traits) {
  if (visit.reset.includes(path)) return

  for (const { into, at, matchOn } of merges(visit, traits)) {
    const targets = at.length === 0 ? [path] : at.map((inner) => `${path}.${inner}`)
    add(labels, into, targets)
    for (const target of targets) {
      const matched = matchOn.map((field) => `${target}.${field}`)
      if (matched.length > 0) add(labels, 'matchPropsOn', matched)
    }
  }
}

function* merges(visit: Visit, { merges = [], scroll }: Traits): Iterable<Merging> {
  yield* merges
  if (scroll) {
    const into = visit.scrollsUp ? 'prependProps' : 'mergeProps'
    yield { into, at: scroll.wrapper === '' ? [] : [scroll.wrapper], matchOn: scroll.matchOn }
  }
}

function labelScroll(
  labels: Labels,
  visit: Visit,
  path: string,
  scroll: NonNullable<Traits['scroll']>,
  value: unknown,
) {
  const { pageName, page } = scroll
  labels.scrollProps ??= {}
  labels.scrollProps[path] = { pageName, ...page(value), reset: visit.reset.includes(path) }
}

function add(labels: Labels, list: Merging['into'] | 'matchPropsOn', paths: string[]) {
  labels[list] = [...(labels[list] ?? []), ...paths]
}
