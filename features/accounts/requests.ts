import type { FastifyRequest } from 'fastify'
import type { Path } from '../paths.ts'
import type { Actor } from './memberships.ts'
import { presentAccount } from './props.ts'

/** Who asks for something, in which account; for handlers behind requireMember. */
export const actorOf = (request: FastifyRequest): Actor => ({
  userId: request.signedIn().user.id,
  accountId: request.membership().account.id,
  sessionToken: request.signedIn().session.token,
})

/** The props that all pages of an account have. */
export function presentPlace(request: FastifyRequest) {
  const { account, membership } = request.membership()
  return { account: presentAccount(account), membership: { role: membership.role } }
}

/** The form of a route below /{slug}. */
export const formAt = (path: (slug: string) => Path) => (request: FastifyRequest) =>
  path((request.params as { slug: string }).slug).url
