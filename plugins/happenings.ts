import { channel } from 'node:diagnostics_channel'

/** Events that plugins report for metrics. They never contain data about people, accounts or addresses. */
export type Happenings = {
  broadcast: object
  limit: { limit: string }
  mail: { outcome: string }
  refusal: { reason: 'late' | 'full' }
  security: { event: string; outcome: string }
  ssr_fallback: object
}
type Name = keyof Happenings

const nameOf = (name: Name) => `accounts:${name}`

/** Costs almost nothing without subscribers, so plugins need not check for them. */
export function tell<N extends Name>(name: N, happening: Happenings[N]) {
  const listeners = channel(nameOf(name))
  if (listeners.hasSubscribers) listeners.publish(happening)
}

/** Returns a function that unsubscribes. */
export function hear<N extends Name>(name: N, listener: (happening: Happenings[N]) => void) {
  const listen = (happening: unknown) => listener(happening as Happenings[N])
  const listeners = channel(nameOf(name))
  listeners.subscribe(listen)
  return () => listeners.unsubscribe(listen)
}
