import { eq, inArray } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { rateLimits, type SessionFactors, type User, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { currentRequest } from '../../plugins/http/request.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { lastUsedPath } from '../accounts/accounts.ts'
import { findInvitation } from '../accounts/received-invitations.ts'
import { record } from '../activity/index.ts'
import type { SignInContext } from '../forms.ts'
import { paths } from '../paths.ts'
import {
  type ClientWithDevice,
  type Device,
  deviceFingerprint,
  isKnown,
  ownBudget,
  rememberDevice,
  rememberMethod,
} from './device.ts'
import { byPassword, type FirstFactor, factorsOf, isSecondStepAskedOf, standInOf } from './factors.ts'
import { methodOf } from './methods.ts'
import { queueNotice } from './notices.ts'
import { askForSecondStep, type PassedFactor } from './pending-sign-in.ts'
import { insertSession } from './sessions.ts'

type Options<Proof> = {
  client: ClientWithDevice
  factor: FirstFactor<Proof>
  proof: Proof
  /** The user with the digest that the browser may know. */
  deviceUser?: User | undefined
}

/** A first factor that was right, with the session that it started. Without one, a second step is needed. */
type Begun<Proof> = PassedFactor<Proof> & { started?: Started }

/** Starts a session, unless a second step is needed. Undefined if the factor no longer holds. */
export const beginSignIn = <Proof>(
  app: FastifyInstance,
  userId: number,
  { client, factor, proof, deviceUser }: Options<Proof>,
) =>
  app.db.transaction(async (tx): Promise<Begun<Proof> | undefined> => {
    const accounts = (await factor.lockAccounts?.(tx, userId, proof)) ?? []
    const [locked] = await tx
      .select()
      .from(users)
      .where(eq(users.id, userId))
      .for(factor.lock ?? 'share')
    if (!locked) return undefined
    const consumed = (await factor.consume?.(tx, locked, proof, accounts)) ?? true
    if (!consumed || !(await factor.holds(tx, locked, proof))) return undefined
    const user = consumed === true ? locked : consumed
    const { device } = client
    // Also of a user whom nothing asks for a second step: somebody who has only a passkey can trust a browser, too.
    const mayStandIn = !factor.twoFactorsSince && device && isKnown(device, deviceUser ?? user)
    const standIn = mayStandIn ? await standInOf(app, tx, user, device) : undefined
    const isComplete = factor.twoFactorsSince || standIn || !isSecondStepAskedOf(app, user)
    if (!isComplete) return { user, factor, proof }
    const passed = { user, factor, proof }
    return { ...passed, started: await startSession(app, tx, passed, client, { added: standIn, deviceUser }) }
  })

export const beginWithPassword = (app: FastifyInstance, user: User, client: ClientWithDevice, deviceUser = user) =>
  beginSignIn(app, user.id, { client, factor: byPassword, proof: deviceFingerprint(user), deviceUser })

/**
 * Answers every sign-in, whatever its factor: asks for the second step, or sends the session. An invitation that it
 * began with comes before the requested page.
 */
export async function continueSignIn<Proof>(
  reply: FastifyReply,
  { started, ...passed }: Begun<Proof>,
  context: SignInContext,
  notice = text('Signed in successfully'),
) {
  if (!started) return askForSecondStep(reply, passed, context)
  const { request, server: app } = reply
  const { factor, proof } = passed
  const { user, session, path, newDeviceId } = started
  // The session is there already, so its token must be sent whatever fails.
  const onward = await app.db.tryOrReport(async () => factor.afterSignIn?.(reply, user, proof))
  request.security('sign_in', 'right', { user: user.id })
  const { invitation = '', returnTo = onward } = context
  const invited = invitation && (await app.db.tryOrReport(() => findInvitation(app, { token: invitation })))
  return rememberDevice(rememberMethod(reply, session), user, newDeviceId)
    .setSession(session.token)
    .notice(notice)
    .redirect(invited ? paths.invitation(invitation).url : returnTo || path)
}

/** `added` followed the first factor. `newDeviceId` is set if the browser was just trusted. */
type StartOptions = {
  added?: Partial<SessionFactors> | undefined
  deviceUser?: User | undefined
  newDeviceId?: string | undefined
}

/**
 * Starts a session for a user whom the transaction authenticated and locked. Mails them if the browser is new to them.
 */
export async function startSession<Proof>(
  app: FastifyInstance,
  tx: Tx,
  { user, factor, proof }: PassedFactor<Proof>,
  { device, ...client }: ClientWithDevice,
  { added, deviceUser = user, newDeviceId }: StartOptions,
) {
  requireUnsuspended(user)
  const factors = { ...factorsOf(factor, proof), ...added }
  const session = await insertSession(tx, app.now(), user.id, client, factors)
  const activityId = await record(tx, 'signed_in', { userId: user.id, method: methodOf(factors) })
  await resetAttempts(tx, deviceUser, device)
  const trusted = isSecondStepAskedOf(app, user) ? { trusted: newDeviceId !== undefined } : {}
  if (!isKnown(device, deviceUser)) await queueNotice(app, tx, user, 'new_sign_in', { activityId, ...trusted })
  const path = await lastUsedPath(tx, user)
  await factor.started?.(tx, user, session.token, proof)
  return { user, session, newDeviceId, path }
}

type Started = Awaited<ReturnType<typeof startSession>>

/** Rolls back, so that nothing was used up in vain. Throws Refused. */
function requireUnsuspended({ id, suspendedAt }: User) {
  if (!suspendedAt) return
  currentRequest()?.security('sign_in', 'refused', { user: id, reason: 'suspended' })
  throw new Refused(text('Your account is suspended'), { page: paths.signInPage().url })
}

function resetAttempts(tx: Tx, user: User, device: Device | undefined) {
  const keys = [keyOf('guess', user.email), ownBudget('guess', device, user)].filter((key) => key !== undefined)
  return tx.delete(rateLimits).where(inArray(rateLimits.key, keys))
}

/** Where somebody tries again, or another way. */
export const backToSignIn = (reply: FastifyReply, alert: Text, { invitation, returnTo }: SignInContext) =>
  reply.alert(alert).redirect(paths.signInPage(invitation, returnTo).url)
