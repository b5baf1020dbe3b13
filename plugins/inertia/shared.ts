import type { FastifyRequest } from 'fastify'
import { after, attempt, isPromise } from './promises.ts'
import { Prop } from './props.ts'

/** The props of every page by name, in the order in which they were registered. */
export type Shares = Map<string, (request: FastifyRequest) => unknown>

type SharedProp = [name: string, prop: unknown]

/** What is shared with the page of this request; a prop that has nothing to say here is left out. */
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

/** The names of what a client may show ahead of the answer; once props it carries along by itself. */
export const carriable = (shared: SharedProp[]) =>
  shared.filter(([, prop]) => !(prop instanceof Prop && prop.traits.once)).map(([name]) => name)
