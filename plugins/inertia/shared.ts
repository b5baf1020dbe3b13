import type { FastifyRequest } from 'fastify'
import { Prop, type Timing } from './props.ts'

/** Shared props by name, in order of registration. */
export type Shares = Map<string, (request: FastifyRequest) => unknown>

type SharedProp = [name: string, prop: unknown]

/** The shared props for this request, without those that are undefined. */
export async function sharedWith(request: FastifyRequest, shares: Shares) {
  const props = await Promise.all(
    Array.from(shares, async ([name, share]): Promise<SharedProp> => [name, await share(request)]),
  )
  return props.filter(([, prop]) => prop !== undefined)
}

/**
 * Names of shared props that the client may show before the response arrives. It keeps once props by itself, and
 * asks for optional ones.
 */
export const instantProps = (shared: SharedProp[]) =>
  shared.filter(([, prop]) => !(prop instanceof Prop && isExcluded(prop))).map(([name]) => name)

const isExcluded = ({ traits: { once, delivery } }: Prop<unknown, Timing>) =>
  once !== undefined || delivery === 'optional'
