import { channel } from 'node:diagnostics_channel'

/** What plugins tell whoever counts. No word of it is about a person, an account or an address. */
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

/** Costs next to nothing while nobody listens, so that a plugin need not know whether somebody does. */
export function tell<N extends Name>(name: N, happening: Happenings[N]) {
  const listeners = channel(nameOf(name))
  if (listeners.hasSubscribers) listeners.publish(happening)
}

/** Returns what ends the listening. */
export function hear<N extends Name>(name: N, listener: (happening: Happenings[N]) => void) {
  const listen = (happening: unknown) => listener(happening as Happenings[N])
  const listeners = channel(nameOf(name))
  listeners.subscribe(listen)
  return () => listeners.unsubscribe(listen)
}
