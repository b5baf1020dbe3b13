import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { SsoConnection } from '../../../drizzle/schema.ts'
import type { Tx } from '../../../plugins/database/index.ts'
import { Invalid } from '../../../plugins/forms/index.ts'
import { invitationIn, OptionalText } from '../../../plugins/forms/parameters.ts'
import { clientOf } from '../../../plugins/http/request.ts'
import { type Text, text } from '../../../plugins/languages/index.ts'
import { isEmailAddress, normalizeEmail } from '../../../plugins/mail/index.ts'
import type { SecurityEvents } from '../../../plugins/security/log.ts'
import { returnToIn } from '../../../plugins/security/return-path.ts'
import { inTooMany } from '../../accounts/accounts.ts'
import { listsChanged } from '../../accounts/switcher.ts'
import { formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import { visitorOf } from '../device.ts'
import { askForSecondFactor } from '../pending-sign-in.ts'
import type { ProviderProfile } from '../providers/clients/client.ts'
import { Cancelled, InvalidResponse, ProviderUnavailable } from '../providers/clients/failures.ts'
import { consumeState, type Intent, markOf, readState, saveState, secretsOf } from '../providers/cookies.ts'
import { completeSignIn, contextFields, contextIn, startWithOneFactor } from '../sign-in.ts'
import { completeSignUp } from '../sign-up.ts'
import { isAtDomainOf, isTaken, Rejected, vouchedAddress } from './addresses.ts'
import type { Clients } from './clients.ts'
import { type Connected, connectionAt, recordFailure, recordSuccess } from './connections.ts'
import { domainOf } from './domain-names.ts'
import { slugAt } from './domains.ts'
import { isMember, type Joining, recognize } from './identities.ts'
import { ownerWithoutProof } from './owner.ts'
import { passInSession } from './pass-in-session.ts'
import { mayPass, recordPass } from './passes.ts'
import { signUp } from './sign-up.ts'

type Options = { clients: Clients; demoEmail: string | undefined }
type Params = { slug: string }
type Start = Connected & Intent & ReturnType<typeof secretsOf>

const SlugParams = Type.Object({ slug: Type.String() })
const ContextBody = Type.Object(contextFields)
const EmailBody = Type.Object({ email: OptionalText, ...contextFields })

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { clients, demoEmail }) => {
  const { origin } = app.site

  // Pages. Opening one starts nothing, whatever its address says: no other site can sign anybody in.

  const guests = { onRequest: app.requireGuest }
  const schema = { querystring: ContextBody }
  app.get(paths.singleSignOnByEmail().url, { ...guests, schema }, (request, reply) =>
    reply.page('auth/sso', contextOf(request)),
  )

  const anybody = { onRequest: app.loadAuth }
  const slugSchema = { params: SlugParams, ...schema }
  app.get('/sign_in/sso/:slug', { ...anybody, schema: slugSchema }, async (request, reply) => {
    const { slug } = request.params
    const connected = await connectionAt(app.db, slug)
    if (!connected) return noSingleSignOn(request, reply)
    const context = contextOf(request)
    const isOwner = request.auth && (await ownerWithoutProof(app.db, request.auth.session, connected.account.id))
    return reply.page('auth/sso-start', {
      slug: connected.account.slug,
      ...context,
      ...(isOwner && ({ second_factor: true } as const)),
    })
  })

  /** Where the person wanted to go. */
  function contextOf(request: FastifyRequest) {
    const query = request.query as { invitation?: unknown; return_to?: unknown }
    const invitation = invitationIn(query.invitation)
    const returnTo = returnToIn(query, origin) ?? app.flashStore.read(request)?.returnTo
    return { ...(invitation && { invitation }), ...(returnTo && { return_to: returnTo }) }
  }

  // Starts.

  const finding = formRoute(byEmail, 'sso_start', { body: EmailBody })
  app.post(paths.findSingleSignOn().url, { ...guests, ...finding }, async (request, reply) => {
    const email = normalizeEmail(request.body.email ?? '')
    const domain = isEmailAddress(email) ? domainOf(email) : undefined
    const slug = domain && (await slugAt(app.db, domain))
    const connected = slug ? await connectionAt(app.db, slug) : undefined
    if (!connected) throw new Invalid({ email: [text('has no single sign-on')] })
    return begin(request, reply, connected, email)
  })

  const starting = formRoute(startPage, 'sso_start', { params: SlugParams, body: ContextBody })
  app.post('/sign_in/sso/:slug', { ...anybody, ...starting }, async (request, reply) => {
    const connected = await connectionAt(app.db, request.params.slug)
    if (!connected) return noSingleSignOn(request, reply)
    const email = request.auth?.user.email
    // The provider of any workspace must not learn who pressed its button.
    const hint = email && (await isAtDomainOf(app.db, connected.account, email)) ? email : undefined
    return begin(request, reply, connected, hint)
  })

  async function begin(request: FastifyRequest, reply: FastifyReply, connected: Connected, email: string | undefined) {
    const { auth } = request
    const intent = { ...contextIn(request), ...(auth && { session: markOf(auth.session.token) }) }
    try {
      const url = await clients(connected).begin(saveState(reply, labelOf(connected.connection), intent), email)
      request.security('sso', 'started', { account: connected.account.id })
      return reply.external(String(url))
    } catch (error) {
      return refuse(request, reply, connected, error)
    }
  }

  // The way back.

  const returning = {
    ...anybody,
    config: { form: startPage },
    exposeHeadRoute: false, // link previews must not use it up
    schema: { params: SlugParams },
  }
  app.get('/sign_in/sso/:slug/callback', returning, async (request, reply) => {
    const connected = await connectionAt(app.db, request.params.slug)
    if (!connected) return noSingleSignOn(request, reply)
    let start: Start | undefined
    try {
      start = await startOf(request, reply, connected)
      if (request.auth && !start.session) return reply.redirect(paths.home().url) // signed in meanwhile
      const { searchParams } = new URL(request.url, origin)
      if (searchParams.get('error') === 'access_denied') throw new Cancelled()

      const profile = await clients(connected).finish(searchParams, start)
      return request.auth
        ? await answerSession(request, reply, start, profile)
        : await answerGuest(request, reply, start, profile)
    } catch (error) {
      return refuse(request, reply, start, error)
    }
  })

  /** The start that this is the answer to, which is spent. Throws InvalidResponse. */
  async function startOf(request: FastifyRequest, reply: FastifyReply, connected: Connected): Promise<Start> {
    const { state } = request.query as Record<string, unknown>
    const begun = readState(reply, state)
    if (!begun) throw new InvalidResponse('state_unknown')
    if (!(await consumeState(app.db, begun))) throw new InvalidResponse('state_spent')
    if (begun.provider !== labelOf(connected.connection)) throw new InvalidResponse('state_of_another_provider')
    const mark = request.auth ? markOf(request.auth.session.token) : undefined
    if (begun.session && begun.session !== mark) throw new InvalidResponse('state_of_another_session')
    return { ...connected, ...begun, ...secretsOf(begun) }
  }

  /** Signs in whom the workspace's provider is known to mean, and signs up everybody else. */
  async function answerGuest(request: FastifyRequest, reply: FastifyReply, start: Start, profile: ProviderProfile) {
    const { account } = start
    const recognized = await recognize(app.db, account.id, profile.subject)
    if (recognized) return signIn(request, reply, start, recognized)

    const email = await vouchedAddress(app.db, start, profile)
    if (await isTaken(app.db, email)) {
      await recordSuccess(app, start.connection)
      request.security('sso', 'unknown', { account: account.id })
      return reply
        .alert(text('Sign in as {address} once to connect it', { address: email }))
        .redirect(paths.signInPage('', paths.singleSignOn(account.slug).url).url)
    }
    const by = { client: clientOf(request), language: request.language.tag }
    const signedUp = await signUp(app, start, { ...profile, email }, by)
    await recordSuccess(app, start.connection)
    request.security('sso', 'signed_up', { user: signedUp.user.id, account: account.id })
    return completeSignUp(alertIfFull(reply, signedUp.joining), { ...signedUp, path: paths.account(account.slug).url })
  }

  type Known = NonNullable<Awaited<ReturnType<typeof recognize>>>

  /** All that a sign-in does. The pass comes with the session, after a second step too. */
  async function signIn(request: FastifyRequest, reply: FastifyReply, start: Start, { id: identityId, user }: Known) {
    const { account, connection, invitation } = start
    const sso = { identityId, connectionId: connection.id }
    const workspacePath = (await isMember(app.db, account.id, user.id)) ? paths.account(account.slug).url : undefined
    const context = {
      ...(invitation && { invitation }),
      returnTo: start.returnTo ?? workspacePath,
      method: 'sso' as const,
      sso,
    }
    const started = await startWithOneFactor(app, user.id, {
      factors: { firstFactor: 'sso' },
      visitor: visitorOf(request),
      holds: (tx: Tx, locked) => mayPass(tx, locked, sso),
      onStarted: (tx: Tx, token) => recordPass(tx, app.now(), token, sso),
    })
    if (!started && !user.secondFactorAt) throw new InvalidResponse('changed_meanwhile')
    await recordSuccess(app, connection)
    request.security('sso', 'right', { user: user.id, account: account.id })
    return started ? completeSignIn(reply, started, context) : askForSecondFactor(reply, user, context)
  }

  /** Lets a session that is there already pass. */
  async function answerSession(request: FastifyRequest, reply: FastifyReply, start: Start, profile: ProviderProfile) {
    const { account, returnTo } = start
    const { user, session } = request.signedIn
    const { token, joining } = await passInSession(app, session, start, profile, demoEmail)
    await recordSuccess(app, start.connection)
    request.security('sso', joining ? 'connected' : 'right', { account: account.id })
    const next = (await isMember(app.db, account.id, user.id)) ? paths.account(account.slug) : paths.home()
    if (joining === 'joined') reply.flash(listsChanged)
    return alertIfFull(reply, joining)
      .setSession(token)
      .redirect(returnTo ?? next.url)
  }

  /** Leads back to where it began. Throws errors that are not about single sign-on. */
  async function refuse(request: FastifyRequest, reply: FastifyReply, start: Connected | undefined, error: unknown) {
    const { outcome, reason, alert } = decide(error)
    request.security('sso', outcome, { reason, ...(start && { account: start.account.id }) })
    if (start) await recordFailure(app, start.connection, reason)
    return reply.alert(alert).redirect(startPage(request, start))
  }
}

/** In the cookie of starts, which belong to a workspace and its connection. */
const labelOf = ({ id, accountId }: SsoConnection) => `sso:${accountId}:${id}`

const byEmail = (request: FastifyRequest) => {
  const { invitation, returnTo } = contextIn(request)
  return paths.singleSignOnByEmail(invitation, returnTo).url
}
const startPage = ({ params }: FastifyRequest, start?: Connected) =>
  paths.singleSignOn(start?.account.slug ?? (params as Params).slug).url

const noSingleSignOn = ({ auth }: FastifyRequest, reply: FastifyReply) =>
  auth
    ? reply.redirect(paths.home().url)
    : reply.alert(text('There is no single sign-on')).redirect(paths.singleSignOnByEmail().url)

const alertIfFull = (reply: FastifyReply, joining: Joining | undefined) =>
  joining === 'full' ? reply.alert(inTooMany) : reply

type Refusal = { outcome: SecurityEvents['sso']; reason: string; alert: Text }

/** Throws errors that are not about single sign-on. */
function decide(error: unknown): Refusal {
  if (error instanceof Rejected) return { outcome: 'refused', reason: error.code, alert: error.reason }
  if (error instanceof Cancelled)
    return { outcome: 'cancelled', reason: 'cancelled', alert: text('You cancelled single sign-on') }
  if (error instanceof ProviderUnavailable) {
    const alert = text("Your provider can't be reached. Try again later")
    return { outcome: 'unreachable', reason: 'unreachable', alert }
  }
  const alert = text("Single sign-on didn't work. Try again")
  if (error instanceof InvalidResponse) return { outcome: 'refused', reason: error.reason, alert }
  // They signed up elsewhere meanwhile.
  if (error instanceof Invalid) return { outcome: 'refused', reason: 'changed_meanwhile', alert }
  throw error
}
