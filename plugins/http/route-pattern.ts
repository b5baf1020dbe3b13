import type { FastifyRequest } from 'fastify'

/** The route that matched, such as `/:slug/members`, without the expressions in it. Undefined if none did. */
export function routePattern({ routeOptions: { url } }: FastifyRequest) {
  if (url === undefined) return undefined
  const known = patterns.get(url) ?? withoutExpressions(url)
  patterns.set(url, known)
  return known
}

const patterns = new Map<string, string>()

function withoutExpressions(url: string): string {
  const simpler = url.replace(/\([^()]*\)/g, '')
  return simpler === url ? url : withoutExpressions(simpler)
}
