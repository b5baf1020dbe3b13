import type { FastifyReply } from 'fastify'

/** Adds a field to `Vary` and keeps the existing ones. */
export function appendVary(reply: FastifyReply, field: string) {
  const vary = reply.getHeader('vary')
  if (!vary) return reply.header('vary', field)

  const named = String(vary)
    .toLowerCase()
    .split(/\s*,\s*/)
  return named.includes('*') || named.includes(field.toLowerCase()) ? reply : reply.header('vary', `${vary}, ${field}`)
}
