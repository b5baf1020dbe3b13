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
     * Guard of everything below /{slug}: guests are led to the sign-in page, for all but members nothing is there, and members are led to where they get
     * a second factor if the account requires one.
     */
    requireMember(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  }
  interface FastifyRequest {
    /** Who is asking, as a member of the account in the address; null elsewhere. */
    member: Member | null
  }
}

/** Whoever is a member of the account in the address; for handlers behind requireMember. */
export function memberOf({ member }: FastifyRequest) {
  if (!member) throw new Error('this handler needs the guard requireMember')
  return member
}

export default fp(
  async (app) => {
    const findMember = memberFinder(app.db, app.sessionPolicy)

    app.decorateRequest('member', null)
    app.decorate('requireMember', async (request: FastifyRequest, reply: FastifyReply) => {
      const { slug } = request.params as { slug: string }
      const token = request.sessionToken()
      const [found] = token ? await findMember.execute({ token, slug, ...app.sessionPolicy.moment() }) : []
      if (!found) return app.leadToSignIn(reply)

      request.authenticate(found, reply)
      // An unknown account and one of others look alike.
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
