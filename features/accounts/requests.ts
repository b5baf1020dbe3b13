import type { FastifyRequest } from 'fastify'
import { budget } from '../../plugins/security/limits/index.ts'
import { authOf } from '../../plugins/security/session.ts'
import type { Path } from '../paths.ts'
import type { Actor } from './actor.ts'
import { presentAccount } from './props.ts'
import { memberOf } from './require-member.ts'

/** The signed-in user and their account. Only for handlers behind requireMember. */
export const actorOf = (request: FastifyRequest): Actor => ({
  userId: authOf(request).user.id,
  accountId: memberOf(request).account.id,
  sessionToken: authOf(request).session.token,
})

/** The props that all account pages share. */
export function presentPlace(request: FastifyRequest) {
  const { account, role } = memberOf(request)
  return { account: presentAccount(account), membership: { role } }
}

/** Counted for each person and account, so that nobody buries what others did in its activity. */
export const changeBudget = budget('account_change', {
  by: (request) => `${authOf(request).user.id} ${memberOf(request).account.id}`,
  check: 'uncounted',
})

/** The form of a route below /{slug}. */
export const formAt = (path: (slug: string) => Path) => (request: FastifyRequest) =>
  path((request.params as { slug: string }).slug).url
