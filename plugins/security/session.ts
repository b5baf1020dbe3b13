import { and, eq, lt, not, or, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sessions, users } from '../../drizzle/schema.ts'
import { refererOf } from '../forms/index.ts'
import { ownPath } from '../http/own-path.ts'
import { isPrefetch } from '../inertia/index.ts'

/** What a query must select, besides its own columns, to say who is asking. The password's digest is not part of it. */
export const authColumns = {
  user: {
    id: users.id,
    name: users.name,
    email: users.email,
    verified: users.verified,
    lastAccountId: users.lastAccountId,
    createdAt: users.createdAt,
    updatedAt: users.updatedAt,
  },
  session: { token: sessions.token, lastSeenAt: sessions.lastSeenAt },
}

type Columns<Of extends Record<string, { _: { data: unknown; notNull: boolean } }>> = {
  [Name in keyof Of]: Of[Name]['_']['notNull'] extends true ? Of[Name]['_']['data'] : Of[Name]['_']['data'] | null
}
export type Auth = { user: Columns<typeof authColumns.user>; session: Columns<typeof authColumns.session> }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether what comes here says nothing about a person being there, as the heartbeat of a page that is left open. */
    unattended?: boolean
  }
  interface FastifyInstance {
    /** Guard: finds out who is asking, guests included. */
    loadAuth(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
    /** Guard: leads guests to the sign-in page. */
    requireUser(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
    /** Guard: leads signed-in users home. */
    requireGuest(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
    /** To the sign-in page, which is told in silence where the guest wanted to go. */
    leadToSignIn(reply: FastifyReply): FastifyReply
  }
  interface FastifyRequest {
    /** Who is asking; null for guests. */
    auth: Auth | null
    /** Whether some of it was still to come when it was asked who sends it. */
    arrivesLate: boolean
    /** The token of a genuine session cookie; whether the session still exists only a query tells. */
    sessionToken(): string | undefined
    /** Tells the request who it is, and keeps a session in use alive. */
    authenticate(auth: Auth, reply: FastifyReply): void
  }
  interface FastifyReply {
    /** Signs this browser in. */
    startSession(token: string): this
    /** Signs this browser out. */
    endSession(): this
  }
}

/** Whoever is signed in; for handlers behind requireUser. */
export function authOf({ auth }: FastifyRequest) {
  if (!auth) throw new Error('this handler needs the guard requireUser')
  return auth
}

type Options = { signInPath: string; homePath: string; origin: string }

const fourHundredDays = 34_560_000_000 // milliseconds
const twentyYears = 630_720_000 // seconds

export default fp<Options>(
  async (app, { signInPath, homePath, origin }) => {
    const policy = app.sessionPolicy
    app.keepSignedCookie('session_token', { maxAge: twentyYears })
    const findSession = app.db
      .select(authColumns)
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.token, sql.placeholder('token')), policy.aliveThen()))
      .prepare('find_session')

    app.decorateRequest('auth', null)
    app.decorateRequest('sessionToken', function () {
      return this.signedCookie('session_token')
    })
    app.decorateRequest('authenticate', function (auth, reply) {
      this.auth = auth
      // Browsers forget a cookie after 400 days, so one in use is set again from time to time.
      if (isInUse(this, auth)) setSessionCookie(reply, auth.session.token)
    })

    const unseenSince = () => new Date(app.now().getTime() - fourHundredDays).toISOString()
    app.sweeper.add({
      name: 'sessions',
      table: sessions,
      key: sessions.token,
      // No browser still has the cookie of one that was not used for so long.
      over: () => or(sql`${sessions.lastSeenAt} < ${unseenSince()}`, not(policy.alive() ?? sql`true`)),
    })

    app.decorate('leadToSignIn', (reply: FastifyReply) => {
      // Whoever has just signed out wants to go nowhere.
      const returnTo = app.carrier.read(reply.request)?.clearHistory ? undefined : wayBack(reply.request, origin)
      if (returnTo) reply.carry({ returnTo })
      // Taken with a page only: of what comes by itself some may be late, and know nothing of a newer cookie.
      if (policy.endsSessions && isPage(reply.request) && reply.request.sessionToken()) {
        reply.endSession().alert('Your session has ended. Please sign in again')
      }
      return reply.redirect(signInPath)
    })
    app.decorate('loadAuth', async (request: FastifyRequest, reply: FastifyReply) => {
      const token = request.sessionToken()
      const [found] = token ? await findSession.execute({ token, ...policy.moment() }) : []
      if (found) request.authenticate(found, reply)
    })
    app.decorate('requireUser', async (request: FastifyRequest, reply: FastifyReply) => {
      await app.loadAuth(request, reply)
      if (!request.auth) return app.leadToSignIn(reply)
    })
    app.decorate('requireGuest', async (request: FastifyRequest, reply: FastifyReply) => {
      await app.loadAuth(request, reply)
      if (!request.auth) return
      // A check of a form that was sent meanwhile would follow a redirect into a page that it did not ask for.
      return request.precognitive ? reply.valid() : reply.notice('You are already signed in').redirect(homePath)
    })

    // Who is asking was found out when the headers came. A body may come half a minute later, and the session may have ended meanwhile.
    const isThere = app.db
      .select({ token: sessions.token })
      .from(sessions)
      .where(and(eq(sessions.token, sql.placeholder('token')), policy.aliveThen()))
      .prepare('session_is_there')

    app.decorateRequest('arrivesLate', false)
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.method === 'GET' || request.method === 'HEAD' || request.raw.complete) return done()
      // A body that came with the headers is there a turn later. Then the guards ask after it, and need not ask again.
      setImmediate(() => {
        request.arrivesLate = !request.raw.complete
        done()
      })
    })
    app.addHook('preValidation', async (request, reply) => {
      if (!request.auth || !request.arrivesLate) return
      const [still] = await isThere.execute({ token: request.auth.session.token, ...policy.moment() })
      if (!still) return app.leadToSignIn(reply)
    })

    app.decorateReply('startSession', function (token) {
      return setSessionCookie(this, token).rotateCsrf(token)
    })
    app.decorateReply('endSession', function () {
      return this.takeCookie('session_token').rotateCsrf()
    })

    const staleSince = () => new Date(app.now().getTime() - policy.staleAfter)
    /** Whether a person is there, and that was not noted lately. */
    const isInUse = ({ routeOptions, headers }: FastifyRequest, { session }: Auth) =>
      session.lastSeenAt < staleSince() && !routeOptions.config.unattended && headers['x-unattended'] === undefined

    // After the response, so that it is in nobody's way. The condition lets one of many parallel requests write.
    app.addHook('onResponse', async (request) => {
      const { auth } = request
      if (!auth || !isInUse(request, auth)) return
      const unchanged = and(eq(sessions.token, auth.session.token), lt(sessions.lastSeenAt, staleSince()))
      await app.db.update(sessions).set({ lastSeenAt: app.now() }).where(unchanged)
    })
  },
  {
    name: 'session',
    dependencies: ['clock', 'cookies', 'csrf', 'database', 'flash', 'precognition', 'session-policy', 'sweeper'],
  },
)

/** The page that a person asked for, or whose form they sent. A stream, a heartbeat or a look ahead is no page. */
function wayBack(request: FastifyRequest, origin: string) {
  if (!isPage(request)) return undefined
  const path = request.method === 'GET' ? ownPath(origin + request.originalUrl, origin) : refererOf(request, origin)
  return path && path.length <= longestWay ? path : undefined
}

const isPage = (request: FastifyRequest) =>
  (request.inertia || request.headers.accept?.includes('text/html') === true) &&
  request.method !== 'HEAD' &&
  !isPrefetch(request)

const longestWay = 1_000 // characters; a cookie has room for few thousand

const setSessionCookie = (reply: FastifyReply, token: string) =>
  reply.giveSignedCookie('session_token', token, { maxAge: twentyYears })
