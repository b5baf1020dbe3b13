import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

export interface Visit {
  /** Only some props are wanted, as the client already shows the page. */
  partial: boolean
  only: string[]
  except: string[]
  reset: string[]
  clientOnceKeys: string[]
  scrollsUp: boolean
}

const whole: Visit = { partial: false, only: [], except: [], reset: [], clientOnceKeys: [], scrollsUp: false }

export function readVisit(headers: IncomingHttpHeaders, component: string): Visit {
  if (headers['x-inertia'] === undefined) return whole

  // A partial reload that was redirected to another page needs all of that page.
  const partial = headers['x-inertia-partial-component'] === component
  return {
    partial,
    only: partial ? list(headers['x-inertia-partial-data']) : [],
    except: partial ? list(headers['x-inertia-partial-except']) : [],
    reset: list(headers['x-inertia-reset']),
    clientOnceKeys: list(headers['x-inertia-except-once-props']),
    scrollsUp: headers['x-inertia-infinite-scroll-merge-intent'] === 'prepend',
  }
}

export const wants = (visit: Visit, path: string) =>
  (visit.only.length === 0 || isNamed(visit, path)) && !isWithin(path, visit.except)

/** Whether to send all of a path, not only something inside it. */
export const wantsAll = (visit: Visit, path: string) =>
  (visit.only.length === 0 || isWithin(path, visit.only)) && !isWithin(path, visit.except)

/** Whether the request names a path, something inside it, or something around it. */
export const isNamed = (visit: Visit, path: string) =>
  isWithin(path, visit.only) || visit.only.some((named) => named.startsWith(`${path}.`))

const isWithin = (path: string, named: string[]) => named.some((one) => path === one || path.startsWith(`${one}.`))

export const isPrefetch = ({ headers }: FastifyRequest) =>
  [headers.purpose, headers['sec-purpose'], headers['x-moz']].some(saysPrefetch)

const saysPrefetch = (header: string | string[] = '') => /^\s*prefetch\s*(?:;|$)/i.test(String(header))

const maxNames = 100 // more than any page has props, as each is compared with each prop

const list = (header: string | string[] = '') =>
  String(header)
    .split(',', maxNames)
    .map((part) => part.trim())
    .filter(Boolean)
