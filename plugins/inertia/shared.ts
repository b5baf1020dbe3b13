import type { FastifyRequest } from 'fastify'
import { after, attempt, isPromise } from './promises.ts'
import { type Arrival, Prop } from './props.ts'

/** Shared props by name, in order of registration. */
export type Shares = Map<string, (request: FastifyRequest) => unknown>

type SharedProp = [name: string, prop: unknown]

/** The shared props for this request, without those that are undefined. */
export function sharedWith(request: FastifyRequest, shares: Shares): SharedProp[] | Promise<SharedProp[]> {
  const props: SharedProp[] = []
  let waits = false
  for (const [name, share] of shares) {
    const prop = attempt(share, request)
    waits ||= isPromise(prop)
    props.push([name, prop])
  }
  return after(waits ? Promise.all(props.map(settled)) : props, (props) =>
    props.filter(([, prop]) => prop !== undefined),
  )
}

const settled = async ([name, prop]: SharedProp): Promise<SharedProp> => [name, await prop]

/**
 * Names of shared props that the client may show before the response arrives. It carries once props over by itself, and
 * asks for optional ones.
 */
export const carriable = (shared: SharedProp[]) =>
  shared.filter(([, prop]) => !(prop instanceof Prop && isApart(prop))).map(([name]) => name)

const isApart = ({ traits: { once, delivery } }: Prop<unknown, Arrival>) =>
  once !== undefined || delivery === 'optional'
