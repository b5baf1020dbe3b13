import type { Labels } from './pages.ts'
import type { Merging, OnceOptions, Traits } from './props.ts'
import { type Visit, wantsAll } from './visit.ts'

export function labelSent(labels: Labels, visit: Visit, path: string, traits: Traits, value: unknown) {
  if (visit.partial && !wantsAll(visit, path)) return

  const { scroll, once } = traits
  labelMerges(labels, visit, path, traits)
  if (scroll) {
    labels.scrollProps ??= {}
    const reset = visit.reset.includes(path)
    labels.scrollProps[path] = { pageName: scroll.pageName, ...scroll.page(value), reset }
  }
  if (once) labelOnce(labels, path, once)
}

export function labelDeferred(labels: Labels, visit: Visit, path: string, traits: Traits) {
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

function labelMerges(labels: Labels, visit: Visit, path: string, { merges = [], scroll }: Traits) {
  if (visit.reset.includes(path)) return

  const scrollsInto: Merging['into'] = visit.scrollsUp ? 'prependProps' : 'mergeProps'
  for (const { into, at, matchOn } of scroll ? [...merges, { ...scroll, into: scrollsInto }] : merges) {
    const targets = at.length === 0 ? [path] : at.map((inner) => `${path}.${inner}`)
    const matched = targets.flatMap((target) => matchOn.map((field) => `${target}.${field}`))
    labels[into] = [...(labels[into] ?? []), ...targets]
    if (matched.length > 0) labels.matchPropsOn = [...(labels.matchPropsOn ?? []), ...matched]
  }
}
