import type { FastifyReply, FastifyRequest } from 'fastify'

/** What a browser keeps for us for a while, and cannot read: encrypted, and bound to the name of the cookie. */
export function sealedCookie<Value extends object>(name: string, lifetimeMs: number, maxAgeMs = lifetimeMs) {
  type Sealed = Value & { expires: number }
  return {
    set(reply: FastifyReply, value: Value) {
      const { sealing, now } = reply.server
      const sealed: Sealed = { ...value, expires: now().getTime() + lifetimeMs }
      return reply.setHostCookie(name, sealing.seal(JSON.stringify(sealed), name), { maxAge: maxAgeMs / 1000 })
    },

    /** Undefined without it, and for one that has expired or that another version made. */
    read(request: FastifyRequest) {
      const { sealing, now } = request.server
      const opened = sealing.open(request.cookie(name) ?? '', name)
      const sealed: Sealed | undefined = opened === undefined ? undefined : JSON.parse(opened)
      return sealed && sealed.expires > now().getTime() ? sealed : undefined
    },

    clear: (reply: FastifyReply) => reply.clearHostCookie(name),
  }
}
