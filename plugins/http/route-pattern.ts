import type { FastifyRequest } from 'fastify'
import { memoize } from '../memoize.ts'

/** The route that matched, such as `/:slug/members`, without the expressions in it. Undefined if none did. */
export const routePattern = ({ routeOptions: { url } }: FastifyRequest) =>
  url === undefined ? undefined : withoutExpressions(url)

const withoutExpressions: (url: string) => string = memoize((url) => {
  const simpler = url.replace(/\([^()]*\)/g, '')
  return simpler === url ? url : withoutExpressions(simpler)
})
