import type { FastifyReply, FastifyRequest } from 'fastify'

/** Options add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by options
export interface Secrets {}

declare module '../plugins/forms/flash.ts' {
  interface FlashState {
    secrets?: Secrets & { userId: number }
  }
}

/**
 * On the next page alone, and only to this user, even if someone else signs in with the same browser.
 * @public
 */
export const flashSecret = (reply: FastifyReply, secrets: Secrets) =>
  reply.flash({ secrets: { ...secrets, userId: reply.request.signedIn.user.id } })

/**
 * What this page may show once.
 * @public
 */
export function readFlashedSecret(request: FastifyRequest): Secrets {
  const secrets = request.server.flashStore.read(request)?.secrets
  return secrets?.userId === request.signedIn.user.id ? secrets : {}
}
