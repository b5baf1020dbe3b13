import { channel } from 'node:diagnostics_channel'

/** Events for metrics. They never contain data about people, accounts or addresses. */
export type Events = {
  broadcast: object
  dropped_line: object
  job: { outcome: string }
  limit: { limit: string }
  mail: { outcome: string }
  refusal: { reason: 'late' | 'full' }
  security: { event: string; outcome: string }
  ssr_fallback: object
}
type Name = keyof Events

const channelOf = (name: Name) => channel(`accounts:${name}`)

/** Costs almost nothing without listeners. */
export const instrument = <N extends Name>(name: N, event: Events[N]) => channelOf(name).publish(event)

/** Returns a function that removes the listener. */
export function subscribe<N extends Name>(name: N, listener: (event: Events[N]) => void) {
  const onEvent = (event: unknown) => listener(event as Events[N])
  const events = channelOf(name)
  events.subscribe(onEvent)
  return () => events.unsubscribe(onEvent)
}
