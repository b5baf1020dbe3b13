import { and, eq, isNull, lt, not, or, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sessions, type User, users } from '../../drizzle/schema.ts'
import { prefersJson } from '../http/errors.ts'
import { text } from '../languages/index.ts'
import { isPageLoad, returnPath } from './return-path.ts'
import { isPageOfAnother, WrongPerson } from './session-transaction.ts'

/** Columns that a query selects to identify the user. The password digest is deliberately not among them. */
export const authColumns = {
  user: {
    id: users.id,
    name: users.name,
    email: users.email,
    verified: users.verified,
    picture: users.picture,
    language: users.language,
    lastAccountId: users.lastAccountId,
    operatorSince: users.operatorSince,
    createdAt: users.createdAt,
    updatedAt: users.updatedAt,
  },
  session: {
    token: sessions.token,
    userId: sessions.userId,
    firstFactor: sessions.firstFactor,
    secondFactor: sessions.secondFactor,
    createdAt: sessions.createdAt,
    lastSeenAt: sessions.lastSeenAt,
  },
}

/**
 * Part of every query that finds out who sends a request. Suspensions end sessions, and hold even if one began beside.
 */
export const isUnsuspended = isNull(users.suspendedAt)

export type Auth = {
  user: Pick<User, keyof typeof authColumns.user>
  session: Pick<typeof sessions.$inferSelect, keyof typeof authColumns.session>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests to this route do not prove that a person is present, such as heartbeats from an open page. */
    unattended?: boolean
    /** Scripts call this route, and a page would be no use to them. */
    answersJson?: true
    /** Guests get what they ask for. A test finds all other routes that they reach. */
    forEveryone?: true
  }
  interface FastifyInstance {
    loadAuth(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
    requireUser(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
    requireGuest(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
    /** Redirects to the sign-in page, which returns the person to the requested page. Scripts of ours get 401. */
    redirectToSignIn(reply: FastifyReply): FastifyReply
  }
  interface FastifyRequest {
    auth: Auth | null
    /** The signed-in user and session. Only for handlers behind requireUser. */
    readonly signedIn: Auth
    sessionToken(): string | undefined
    /** Throws WrongPerson before anything is changed for someone else than the page shows. */
    authenticate(auth: Auth, reply: FastifyReply): Promise<void>
  }
  interface FastifyReply {
    setSession(token: string): this
    clearSession(): this
    /** For the sign-in page: clears the cookie of a session that has ended, and says so. */
    clearEndedSession(): this
  }
}

type SessionOptions = { signInPath: string; homePath: string; origin: string }

const renewalCookie = 'session_renewed'
const dayMs = 86_400_000
const fourHundredDaysMs = 34_560_000_000
const twentyYearsSeconds = 630_720_000

export default fp<SessionOptions>(
  async (app, { signInPath, homePath, origin }) => {
    const policy = app.sessionPolicy
    const statement = app.db
      .select(authColumns)
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.token, sql.placeholder('token')), policy.isActiveAt(), isUnsuspended))
      .prepare(app.db.statement('find_session'))
    const findSession = (token: string) => statement.execute({ token, now: app.now().toISOString() })

    app.decorateRequest('auth', null)
    app.decorateRequest('signedIn', {
      getter() {
        if (!this.auth) throw new Error('this handler needs the guard requireUser')
        return this.auth
      },
    })
    app.decorateRequest('sessionToken', function () {
      return this.signedCookie('session_token')
    })
    app.decorateRequest('authenticate', async function (auth, reply) {
      this.auth = auth
      const isSafe = this.method === 'GET' || this.method === 'HEAD'
      if (!isSafe && isPageOfAnother(this)) throw new WrongPerson(auth.user.email, this.routeOptions.config)
      // Browsers drop cookies after 400 days. Answers in the background come late, and would replace a newer token.
      if (isPageLoad(this) && isRenewalDue(this, auth)) renewSessionCookie(reply, auth.session.token)
    })
    // Nobody waits for it, and a database that only reads still shows pages.
    app.addHook('onResponse', async (request) => {
      if (request.auth && isInUse(request, request.auth))
        await touch(request.auth).catch((err) =>
          request.log.warn({ err }, 'when a session was last seen was not written'),
        )
    })

    const unseenSince = () => new Date(app.now().getTime() - fourHundredDaysMs).toISOString()
    app.sweeper.add({
      table: sessions,
      // By then, every browser has dropped the cookie.
      isExpired: () => or(sql`${sessions.lastSeenAt} < ${unseenSince()}`, not(policy.isActive() ?? sql`true`)),
    })

    app.decorate('redirectToSignIn', (reply: FastifyReply) => {
      const { headers, routeOptions } = reply.request
      const { answersJson, unattended } = routeOptions.config
      // Only for our own scripts, to which a form is no use. Everything in the specification redirects.
      if (answersJson && !unattended && prefersJson(headers.accept)) return reply.sendError(401)
      // After a sign-out, the person does not want to return anywhere.
      const returnTo = app.flashStore.read(reply.request)?.clearHistory ? undefined : returnPath(reply.request, origin)
      if (returnTo) reply.flash({ returnTo })
      return reply.redirect(signInPath)
    })
    app.decorate('loadAuth', async (request: FastifyRequest, reply: FastifyReply) => {
      const token = request.sessionToken()
      const [row] = token ? await findSession(token) : []
      if (row) await request.authenticate(row, reply)
    })
    app.decorate('requireUser', async (request: FastifyRequest, reply: FastifyReply) => {
      await app.loadAuth(request, reply)
      if (!request.auth) return app.redirectToSignIn(reply)
    })
    app.decorate('requireGuest', async (request: FastifyRequest, reply: FastifyReply) => {
      await app.loadAuth(request, reply)
      if (!request.auth) return
      // A validation request in flight during sign-in must not be redirected to a page it cannot use.
      return request.precognitive ? reply.valid() : reply.notice(text('You are already signed in')).redirect(homePath)
    })

    app.decorateReply('setSession', function (token) {
      return setSessionCookie(this, token).rotateCsrf(token)
    })
    app.decorateReply('clearSession', function () {
      return this.clearHostCookie('session_token').rotateCsrf()
    })
    app.decorateReply('clearEndedSession', function () {
      const { request } = this
      // Another request may carry the cookie from before a sign-in, and would sign out the newer session.
      if (request.auth || !request.sessionToken() || !isPageLoad(request)) return this
      this.clearSession()
      const { alert, notice } = app.flashStore.read(request) ?? {}
      return (alert ?? notice) ? this : this.alert(text('Your session has ended. Please sign in again'))
    })

    /** In a cookie of its own, since sessions are seen more often than pages are loaded. */
    function isRenewalDue(request: FastifyRequest, { session }: Auth) {
      const renewedAt = Math.max(session.createdAt.getTime(), Number(request.signedCookie(renewalCookie) ?? 0))
      return app.now().getTime() - renewedAt > dayMs
    }

    const renewSessionCookie = (reply: FastifyReply, token: string) =>
      setSessionCookie(reply, token).setSignedCookie(renewalCookie, String(app.now().getTime()), {
        maxAge: twentyYearsSeconds,
      })

    const staleSince = () => new Date(app.now().getTime() - policy.staleAfterMs)
    const isInUse = ({ routeOptions, headers }: FastifyRequest, { session }: Auth) =>
      session.lastSeenAt < staleSince() && !routeOptions.config.unattended && headers['x-unattended'] === undefined

    /** Of several parallel requests, the condition lets only one write. */
    async function touch({ session }: Auth) {
      const unchanged = and(eq(sessions.token, session.token), lt(sessions.lastSeenAt, staleSince()))
      await app.db.update(sessions).set({ lastSeenAt: app.now() }).where(unchanged)
    }
  },
  { name: 'session', dependencies: ['csrf', 'flash', 'precognition', 'sweeper'] },
)

const setSessionCookie = (reply: FastifyReply, token: string) =>
  reply.setSignedCookie('session_token', token, { maxAge: twentyYearsSeconds })
