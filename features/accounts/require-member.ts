import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Role } from '../../drizzle/schema.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { paths } from '../paths.ts'
import { memberFinder } from './finders.ts'

type Member = {
  role: Role
  account: { id: number; name: string; slug: string; requireSecondFactor: boolean }
  accountList: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Guard for everything below /{slug}. Redirects guests to the sign-in page, answers non-members with 404, and
     * redirects members without a second factor to their security settings if the account requires one.
     */
    requireMember(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  }
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

export default fp(
  async (app) => {
    const findMember = memberFinder(app.db.lookups, app.sessionPolicy)

    app.decorateRequest('member', null)
    app.decorate('requireMember', async (request: FastifyRequest, reply: FastifyReply) => {
      const { slug } = request.params as { slug: string }
      const token = request.sessionToken()
      const [found] = token ? await findMember.execute({ token, slug, ...app.sessionPolicy.moment() }) : []
      if (!found) return app.leadToSignIn(reply)

      request.authenticate(found, reply)
      // Unknown accounts and accounts of others look the same.
      if (!found.account || !found.membership) throw new NotFound()
      if (found.isShutOut) {
        const alert = `${found.account.name} requires two-factor authentication`
        return reply.alert(alert).redirect(paths.security().url)
      }
      request.member = { role: found.membership.role, account: found.account, accountList: found.accountList }
    })
  },
  { name: 'require-member', dependencies: ['session'] },
) satisfies FastifyPluginAsync
