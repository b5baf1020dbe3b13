import { and, eq, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sessions } from '../../drizzle/schema.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether part of the body was still missing when the session was loaded. */
    arrivesLate: boolean
  }
}

/** The guards run when the headers arrive. The body may follow half a minute later, when the session may have ended. */
export default fp(
  async (app) => {
    const policy = app.sessionPolicy
    const isThere = app.db.lookups
      .select({ token: sessions.token })
      .from(sessions)
      .where(and(eq(sessions.token, sql.placeholder('token')), policy.aliveThen()))
      .prepare('session_is_there')

    app.decorateRequest('arrivesLate', false)
    app.addHook('onRequest', (request, _reply, done) => {
      const { method, raw } = request
      // A body sent along with the headers is complete by now (plugins/http/overload.ts), and needs no second check.
      request.arrivesLate = method !== 'GET' && method !== 'HEAD' && !raw.complete
      done()
    })
    app.addHook('preValidation', (request, reply, done) => (request.arrivesLate ? recheck(request, reply) : done()))
    const recheck = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!request.auth) return
      const [still] = await isThere.execute({ token: request.auth.session.token, ...policy.moment() })
      if (!still) return app.leadToSignIn(reply)
    }
  },
  { name: 'late-bodies', dependencies: ['database', 'overload', 'session', 'session-policy'] },
)
