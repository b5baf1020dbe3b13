import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { accounts, Role } from '../../drizzle/schema.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { wayBack } from '../../plugins/security/way-back.ts'
import { paths } from '../paths.ts'
import { memberFinder } from './finders.ts'
import { ShutOut } from './requirement.ts'
import { wantsLists } from './switcher.ts'

type Member = {
  role: Role
  account: Pick<typeof accounts.$inferSelect, 'id' | 'name' | 'slug' | 'picture' | 'requireSecondFactor'>
  /** The version of the viewer's accounts, and the list if it is wanted. */
  accounts: string
  /** The same for their open invitations. */
  openInvitations: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Guard for everything below /{slug}. Redirects guests to the sign-in page, answers non-members with 404, and
     * throws ShutOut if the account requires a second factor and the session began without one.
     */
    requireMember(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
    /** Redirects to where the second factor is proved or set up. */
    leadToFactor(reply: FastifyReply, shutOut: ShutOut): FastifyReply
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

export default fp<{ origin: string }>(
  async (app, { origin }) => {
    const findMember = memberFinder(app.db.lookups, app.sessionPolicy, { withList: false })
    const findMemberAndAccounts = memberFinder(app.db.lookups, app.sessionPolicy, { withList: true })

    app.decorateRequest('member', null)
    app.decorate('requireMember', async (request: FastifyRequest, reply: FastifyReply) => {
      const { slug } = request.params as { slug: string }
      const token = request.sessionToken()
      const finder = wantsLists(request) ? findMemberAndAccounts : findMember
      const at = app.now().toISOString()
      const [found] = token ? await finder.execute({ token, slug, at, ...app.sessionPolicy.moment() }) : []
      if (!found) return app.leadToSignIn(reply)

      request.authenticate(found, reply)
      // Unknown accounts and accounts of others look the same.
      if (!found.account || !found.membership) throw new NotFound()
      if (found.missing) throw new ShutOut(found.missing, found.account.name)
      const { account, accounts, openInvitations } = found
      request.member = { role: found.membership.role, account, accounts, openInvitations }
    })
    app.decorate('leadToFactor', (reply: FastifyReply, { missing, accountName }: ShutOut) => {
      if (missing === 'setup') {
        return reply
          .alert(text('{accountName} requires two-factor authentication', { accountName }))
          .redirect(paths.security().url)
      }
      const returnTo = wayBack(reply.request, origin)
      if (returnTo) reply.flash({ returnTo })
      return reply.redirect(paths.secondFactor().url)
    })
  },
  { name: 'require-member', dependencies: ['session'] },
)
