import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Role } from '../../drizzle/schema.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { memberFinder } from './finders.ts'

type Member = {
  account: { id: number; name: string; slug: string }
  membership: { id: number; role: Role }
  accountList: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Guard of everything below /{slug}: guests are led to the sign-in page, for all but members nothing is there. */
    requireMember(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  }
  interface FastifyRequest {
    member: Member | null
    /** The account of the address and the caller's place in it; for handlers behind requireMember. */
    membership(): Member
  }
}

export default fp(
  async (app) => {
    const findMember = memberFinder(app.db, app.sessionPolicy)

    app.decorateRequest('member', null)
    app.decorateRequest('membership', function () {
      if (!this.member) throw new Error('this handler needs the guard requireMember')
      return this.member
    })
    app.decorate('requireMember', async (request: FastifyRequest, reply: FastifyReply) => {
      const { slug } = request.params as { slug: string }
      const token = request.sessionToken()
      const [found] = token ? await findMember.execute({ token, slug, ...app.sessionPolicy.moment() }) : []
      if (!found) return app.leadToSignIn(reply)

      request.authenticate(found, reply)
      // An unknown account and one of others look alike.
      if (!found.account || !found.membership) throw new NotFound()
      request.member = { account: found.account, membership: found.membership, accountList: found.accountList }
    })
  },
  { name: 'require-member', dependencies: ['session'] },
) satisfies FastifyPluginAsync
