import type { FastifyInstance, FastifyReply } from 'fastify'
import { clientOf } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import type { ProviderProfile } from '../../plugins/openid/client.ts'
import { InvalidResponse, type Outcome } from '../../plugins/openid/failures.ts'
import type { Intent, Policy } from '../../plugins/openid/round-trip.ts'
import { listsChanged } from '../accounts/switcher.ts'
import { availabilityOf } from '../auth/addresses.ts'
import { clientWithDevice } from '../auth/device.ts'
import { beginSignIn, continueSignIn } from '../auth/sign-in.ts'
import { completeSignUp } from '../auth/sign-up.ts'
import { paths } from '../paths.ts'
import { trustedEmail } from './addresses.ts'
import { type Clients, type Connected, recordFailure, recordSuccess } from './connections.ts'
import { alertIfOut, bySingleSignOn } from './factor.ts'
import { isMember, recognize } from './identities.ts'
import { passInSession, signUp } from './passing.ts'
import { singleSignOnPaths } from './paths.ts'

type Options = { clients: Clients; allowPrivate: boolean }

/** A workspace's own provider: it answers for the addresses at its domains, and an unknown subject joins. */
export function workspacePolicy(app: FastifyInstance, connected: Connected, options: Options): Policy {
  const { account, connection } = connected
  const about = { account: account.id }
  const startUrl = singleSignOnPaths.singleSignOn(account.slug).url

  return {
    label: `sso:${account.id}:${connection.id}`,
    client: () => options.clients(connected),
    started: ({ request }) => request.security('sso', 'started', about),
    onward: async ({ request }, start) => (await pathFor(start, request.signedIn.user.id)) ?? paths.home().url,

    answer: (reply, profile, start) =>
      reply.request.auth ? passInThisSession(reply, profile, start) : signInOrUp(reply, profile, start),

    async refuse(reply, { outcome, reason = outcome, alert = refusals[outcome] }, { isOwn }) {
      reply.request.security('sso', outcome, { reason, ...(isOwn && about) })
      const told = outcome === 'unreachable' ? toldOwner(reason, options.allowPrivate) : reason
      if (isOwn) await recordFailure(app, connection, told)
      return reply.alert(alert).redirect(startUrl)
    },
  }

  /** The page that was asked for, or the workspace if they are in it. */
  async function pathFor({ returnTo }: Intent, userId: number) {
    return returnTo ?? ((await isMember(app.db, account.id, userId)) ? paths.account(account.slug).url : undefined)
  }

  /** Logs who came back, and that the connection works, before they are answered. */
  async function noteArrival({ request }: FastifyReply, outcome: Outcome | 'signed_up', user?: { user: number }) {
    await app.db.tryOrReport(() => recordSuccess(app, connection))
    request.security('sso', outcome, { ...about, ...user })
  }

  /** Signs in whom the workspace's provider is known to mean, and signs up everybody else. */
  async function signInOrUp(reply: FastifyReply, profile: ProviderProfile, start: Intent) {
    const recognized = await recognize(app.db, account.id, profile.subject)
    if (recognized) return signIn(reply, start, recognized)

    const email = await trustedEmail(app.db, connected, profile)
    if ((await availabilityOf(app.db, email)) === 'taken') {
      await noteArrival(reply, 'unknown')
      const alert = text('Sign in as {address} once to connect it', { address: email })
      return reply.alert(alert).redirect(paths.signInPage('', startUrl).url)
    }
    const by = { client: clientOf(reply.request), language: reply.request.language.tag }
    const signedUp = await signUp(app, connected, { ...profile, email }, by)
    await noteArrival(reply, 'signed_up', { user: signedUp.user.id })
    const path = signedUp.joining === 'removed' ? signedUp.path : paths.account(account.slug).url
    return completeSignUp(alertIfOut(reply, account, signedUp.joining), { ...signedUp, path })
  }

  type Recognized = NonNullable<Awaited<ReturnType<typeof recognize>>>

  /** All that a sign-in does. */
  async function signIn(reply: FastifyReply, start: Intent, { id: identityId, userId }: Recognized) {
    const { invitation } = start
    const proof = { identityId, connectionId: connection.id }
    const context = { ...(invitation && { invitation }), returnTo: await pathFor(start, userId) }
    const by = { client: clientWithDevice(reply.request), factor: bySingleSignOn(app), proof }
    const begun = await beginSignIn(app, userId, by)
    if (!begun) throw new InvalidResponse('changed_meanwhile')
    await noteArrival(reply, 'right', { user: userId })
    return continueSignIn(reply, begun, context)
  }

  /** Lets a session that is there already pass. */
  async function passInThisSession(reply: FastifyReply, profile: ProviderProfile, start: Intent) {
    const { user, session } = reply.request.signedIn
    const { token, joining, isNew } = await passInSession(app, session, connected, profile)
    const path = (await app.db.tryOrReport(() => pathFor(start, user.id))) ?? paths.home().url
    if (joining === 'joined') reply.flash(listsChanged)
    await noteArrival(reply, isNew ? 'connected' : 'right')
    return alertIfOut(reply, account, joining).setSession(token).redirect(path)
  }
}

const refusals = {
  cancelled: text('You cancelled single sign-on'),
  refused: text("Single sign-on didn't work. Try again"),
  unreachable: text("Your provider can't be reached. Try again later"),
}

/**
 * Why a provider is out of reach, as far as it tells nothing of our network: which names and private addresses there
 * are, and what they answer.
 */
export function toldOwner(reason: string, allowPrivate: boolean) {
  const isOfPublicAddress = !allowPrivate && ['late', 'refused', 'tls'].includes(reason)
  return isOfPublicAddress || reason.startsWith('it_answers') ? reason : 'unreachable'
}
