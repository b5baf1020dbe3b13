import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { clientOf } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import type { ProviderProfile } from '../../plugins/openid/client.ts'
import { Cancelled, InvalidResponse } from '../../plugins/openid/failures.ts'
import type { SecurityEvents } from '../../plugins/security/log.ts'
import { listsChanged } from '../accounts/switcher.ts'
import { availabilityOf } from '../auth/addresses.ts'
import { visitorOf } from '../auth/device.ts'
import type { FirstFactor } from '../auth/first-factors.ts'
import { beginSignIn, continueSignIn } from '../auth/sign-in.ts'
import { completeSignUp } from '../auth/sign-up.ts'
import { paths } from '../paths.ts'
import { type Intent, readState, secretsOf, spendState } from '../providers/cookies.ts'
import { vouchedAddress } from './addresses.ts'
import { alertIfOut } from './arrivals.ts'
import { type Clients, labelOf } from './clients.ts'
import { type Connected, connectionAt, recordSuccess } from './connections.ts'
import { isMember, recognize } from './identities.ts'
import { passInSession } from './pass-in-session.ts'
import type { Pass } from './passes.ts'
import { singleSignOnPaths } from './paths.ts'
import { noSingleSignOn, refuse, startPage } from './refusals.ts'
import { signUp } from './sign-up.ts'

type Options = {
  clients: Clients
  factor: FirstFactor<Pass>
  demoEmail: string | undefined
  allowPrivate: boolean
}
type Start = Connected & Intent

/** What became of somebody who came back. `send` answers them, once it is recorded. */
type Arrival = { outcome: SecurityEvents['sso']; user?: number; send: () => unknown }

/** The way back from the provider of a workspace. */
export const callbackRoute: FastifyPluginAsyncTypebox<Options> = async (app, given) => {
  const { clients, factor, demoEmail, allowPrivate } = given
  const options = {
    onRequest: app.loadAuth,
    config: { form: startPage },
    exposeHeadRoute: false, // link previews must not use it up
    schema: { params: Type.Object({ slug: Type.String() }) },
  }
  app.get('/sign_in/sso/:slug/callback', options, async (request, reply) => {
    const connected = await connectionAt(app.db, request.params.slug)
    if (!connected) return noSingleSignOn(request, reply)
    let start: Start | undefined
    try {
      const { searchParams } = new URL(request.url, app.site.origin)
      const state = readState(reply, searchParams.get('state'))
      const begun = await spendState(request, state, labelOf(connected.connection))
      start = { ...connected, ...begun }
      const signedInMeanwhile = request.auth && !start.session && request.auth.user
      if (signedInMeanwhile) return reply.redirect((await pathFor(start, signedInMeanwhile.id)) ?? paths.home().url)
      if (searchParams.get('error') === 'access_denied') throw new Cancelled()

      const profile = await clients(connected).finish(searchParams, secretsOf(begun))
      const answer = request.auth ? answerSession : answerGuest
      const { send, outcome, ...user } = await answer(request, reply, start, profile)
      await app.db.afterCommit(() => recordSuccess(app, connected.connection))
      request.security('sso', outcome, { account: connected.account.id, ...user })
      return await send()
    } catch (error) {
      return refuse(request, reply, { start, error, allowPrivate })
    }
  })

  type Answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    start: Start,
    profile: ProviderProfile,
  ) => Promise<Arrival>

  /** Signs in whom the workspace's provider is known to mean, and signs up everybody else. */
  const answerGuest: Answer = async (request, reply, start, profile) => {
    const { account } = start
    const recognized = await recognize(app.db, account.id, profile.subject)
    if (recognized) return signIn(request, reply, start, recognized)

    const email = await vouchedAddress(app.db, start, profile)
    if ((await availabilityOf(app.db, email)) === 'taken') {
      const page = paths.signInPage('', singleSignOnPaths.singleSignOn(account.slug).url)
      const alert = text('Sign in as {address} once to connect it', { address: email })
      return { outcome: 'unknown', send: () => reply.alert(alert).redirect(page.url) }
    }
    const by = { client: clientOf(request), language: request.language.tag }
    const signedUp = await signUp(app, start, { ...profile, email }, by)
    const path = signedUp.joining === 'removed' ? signedUp.path : paths.account(account.slug).url
    return {
      outcome: 'signed_up',
      user: signedUp.user.id,
      send: () => completeSignUp(alertIfOut(reply, account, signedUp.joining), { ...signedUp, path }),
    }
  }

  /** The page that was asked for, or the workspace if they are in it. */
  const pathFor = async ({ returnTo, account }: Start, userId: number) =>
    returnTo ?? ((await isMember(app.db, account.id, userId)) ? paths.account(account.slug).url : undefined)

  type Recognized = NonNullable<Awaited<ReturnType<typeof recognize>>>

  /** All that a sign-in does. */
  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    start: Start,
    { id: identityId, user }: Recognized,
  ): Promise<Arrival> {
    const { connection, invitation } = start
    const proof = { identityId, connectionId: connection.id }
    const returnTo = await pathFor(start, user.id)
    const context = { ...(invitation && { invitation }), returnTo }
    const begun = await beginSignIn(app, user.id, { visitor: visitorOf(request), factor, proof })
    if (!begun) throw new InvalidResponse('changed_meanwhile')
    return { outcome: 'right', user: user.id, send: () => continueSignIn(reply, begun, context) }
  }

  /** Lets a session that is there already pass. */
  const answerSession: Answer = async (request, reply, start, profile) => {
    const { user, session } = request.signedIn
    const { token, joining, isNew } = await passInSession(app, session, start, profile, demoEmail)
    const path = (await app.db.afterCommit(() => pathFor(start, user.id))) ?? paths.home().url
    if (joining === 'joined') reply.flash(listsChanged)
    const send = () => alertIfOut(reply, start.account, joining).setSession(token).redirect(path)
    return { outcome: isNew ? 'connected' : 'right', send }
  }
}
