import type { FastifyRequest } from 'fastify'
import type { Account, Role } from '../../drizzle/schema.ts'
import { budget } from '../../plugins/security/limits/index.ts'
import type { Path } from '../paths.ts'
import type { Actor } from './actor.ts'
import { presentAccount } from './props.ts'

type Member = {
  role: Role
  account: Pick<Account, 'id' | 'name' | 'slug' | 'picture' | 'requireSecondFactor'>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The viewer's membership in the account of the URL. Null elsewhere. */
    member: Member | null
  }
}

/** The viewer's membership. Only for handlers behind requireMember. */
export function memberOf({ member }: FastifyRequest) {
  if (!member) throw new Error('this handler needs the guard requireMember')
  return member
}

/** The signed-in user and their account. Only for handlers behind requireMember. */
export const actorOf = (request: FastifyRequest): Actor => ({
  userId: request.signedIn.user.id,
  accountId: memberOf(request).account.id,
  sessionToken: request.signedIn.session.token,
})

/** The props that all account pages share. */
export function presentPlace(request: FastifyRequest) {
  const { account, role } = memberOf(request)
  return { account: presentAccount(account), membership: { role } }
}

/** Counted for each person and account, so that nobody buries what others did in its activity. */
export const changeBudget = budget('account_change', {
  by: (request) => `${request.signedIn.user.id} ${memberOf(request).account.id}`,
})

/** The form of a route below /{slug}. */
export const formAt = (path: (slug: string) => Path) => (request: FastifyRequest) =>
  path((request.params as { slug: string }).slug).url

/** The form of something in an account, such as `/acme/projects/5/edit`. */
export const itemFormAt = (path: (slug: string, id: number) => Path) => (request: FastifyRequest) => {
  const { slug, id } = request.params as { slug: string; id: string }
  return path(slug, Number(id)).url
}
