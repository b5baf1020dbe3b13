import './activities.ts'
import './limits.ts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Type } from 'typebox'
import { passkeys as passkeyTable } from '../../drizzle/tables/passkeys.ts'
import type { Database } from '../../plugins/database/index.ts'
import { translateErrors } from '../../plugins/forms/flash.ts'
import { checkName, Invalid, Refused } from '../../plugins/forms/index.ts'
import { ChallengeBody, IdParams, idPattern, isVisible, OptionalText } from '../../plugins/forms/parameters.ts'
import { clientOf } from '../../plugins/http/request.ts'
import { defer } from '../../plugins/inertia/index.ts'
import { text } from '../../plugins/languages/index.ts'
import type { Keys } from '../../plugins/security/keys.ts'
import { budget, guessing } from '../../plugins/security/limits/index.ts'
import { defineSecurityEvent } from '../../plugins/security/log.ts'
import type { Auth } from '../../plugins/security/session.ts'
import { clientWithDevice } from '../auth/device.ts'
import { deviceIn } from '../auth/notices.ts'
import { reauthenticateSession, requireVerified } from '../auth/reauthentication/index.ts'
import { backToSignIn, beginSignIn, continueSignIn } from '../auth/sign-in.ts'
import { requireAnotherWay } from '../auth/sign-in-methods.ts'
import { checkedRoute, contextOfForm, formRoute, profileChecksBudget, signInFields } from '../forms.ts'
import { paths } from '../paths.ts'
import { maxPasskeyNameLength } from './bounds.ts'
import {
  byPasskey,
  findAssertion,
  passkeyRefused,
  reauthenticateByPasskey,
  reauthenticationScope,
  signInByPasskey,
  signInScope,
} from './factor.ts'
import { addPasskey, defineMails, prepareRegistration, removePasskey, renamePasskey } from './passkeys.ts'
import { passkeysPaths } from './paths.ts'
import { presentPasskey } from './props.ts'
import { acceptedBy, hasPasskey, passkeyMethod, passkeyProof, passkeysOf } from './ways-in.ts'
import type { ChallengeScope } from './webauthn/challenges.ts'
import { creationOptions, requestOptions, verifyRegistration } from './webauthn/relying-party.ts'

declare module '../../plugins/forms/flash.ts' {
  interface FlashState {
    /** Nobody has the passkey that was just refused. */
    unknownPasskey?: true
  }
}

const outcomes = ['wrong', 'counter', 'added', 'removed'] as const

declare module '../../plugins/security/log.ts' {
  interface SecurityEvents {
    passkey: (typeof outcomes)[number]
  }
}

defineSecurityEvent('passkey', [...outcomes])

export const passkeys = fp<{ keys: Keys }>(
  async (app, { keys }) => {
    app.registeredOptions.add('passkeys')
    app.decorate('challengeKeys', keys)
    app.strongProofs.add(passkeyProof)
    signInByPasskey(app)
    reauthenticateByPasskey(app)
    app.signInMethods.add(passkeyMethod(app))
    const presentOf = async (userId: number) => (await passkeysOf(app.db, userId)).map(presentPasskey)
    app.exportParts.set('passkeys', presentOf)
    app.addProps('settings/security', async ({ signedIn }) => ({ passkeys: await presentOf(signedIn.user.id) }))
    app.addProps('auth/sign-in', async (request) =>
      app.flashStore.read(request)?.unknownPasskey ? { unknown_passkey: true as const } : {},
    )
    // New users are told to set one up, others who sign in with a password are offered one.
    const isToDo = sql`not exists (select from ${passkeyTable} passkey where passkey.user_id = person.id)`
    app.firstSteps.add({ id: 'passkey', rank: 3, isToDo })
    app.addProps('accounts/show', ({ signedIn }) => ({ offer_passkey: defer(() => isWorthOffering(app.db, signedIn)) }))
    defineMails(app)
    app.register(signInRoutes)
    app.register(passkeyRoutes)
  },
  { name: 'passkeys' },
)

/** Whether a passkey would make the user's sign-ins easier. They need a verified address to add one. */
const isWorthOffering = async (db: Database, { user, session }: Auth) =>
  user.verified && session.firstFactor === 'password' && !(await hasPasskey(db, user.id))

const AssertionBody = Type.Object({ response: Type.Optional(Type.Unknown()), ...signInFields })

const signInRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // Also for signed-in people who prove their second factor later (/sign_in/verify).
  const asking = { config: { rateLimit: budget('passkey_request') } }
  app.post(passkeysPaths.passkeySignInOptions().url, asking, async (request) =>
    requestOptions(app, signInScope(request)),
  )

  const route = {
    ...formRoute(paths.signInPage().url, 'passkey', { body: AssertionBody }),
    onRequest: app.requireGuest,
  }
  app.post(passkeysPaths.signInWithPasskey().url, route, async (request, reply) => {
    const context = contextOfForm(request)
    const match = await findAssertion(app, signInScope(request), request.body.response)
    const { passkey, assertion } = match ?? {}
    if (passkey && assertion) {
      const proof = { request, passkey, assertion }
      const begun = await beginSignIn(app, passkey.userId, {
        client: clientWithDevice(request),
        factor: byPasskey,
        proof,
      })
      if (begun) return continueSignIn(reply, begun, context)
    }
    request.security('passkey', 'wrong', { user: passkey?.userId })
    if (!match) reply.flash({ unknownPasskey: true })
    return backToSignIn(reply, passkeyRefused, context)
  })
}

const NameBody = Type.Object({ name: OptionalText })
/** An invalid response is rejected with the form's message rather than a 400, so it may be anything. */
const RegistrationBody = Type.Object({ response: Type.Optional(Type.Unknown()), name: OptionalText })

const passkeyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const page = paths.security().url

  // Scripts call this route and the next one.
  const answerJson = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof Refused) return reply.code(422).send({ message: request.translate(error.reason) })
    if (!(error instanceof Invalid)) throw error
    return reply.code(422).send({ errors: translateErrors(request, error.errors) })
  }
  const answersJson = true as const
  const { schema, config } = formRoute(page, 'passkey_options', { body: ChallengeBody })
  const asking = { schema, config: { ...config, answersJson }, errorHandler: answerJson }
  app.post(passkeysPaths.passkeyOptions().url, asking, async (request) => {
    const { name, email } = requireVerified(request.signedIn.user)
    const prepared = await prepareRegistration(app.db, await reauthenticateSession(request))
    return creationOptions(app, registrationScope(request), { name, email, ...prepared })
  })

  app.post(passkeysPaths.passkeyChallenge().url, { config: { answersJson } }, async (request) => {
    const { id } = request.signedIn.user
    return requestOptions(app, reauthenticationScope(id), await passkeysOf(app.db, id))
  })

  const adding = formRoute(page, 'passkey_addition', { body: RegistrationBody })
  app.post(passkeysPaths.addPasskey().url, adding, async (request, reply) => {
    requireVerified(request.signedIn.user)
    const { response, name } = request.body
    const passkeyName = name && isVisible(name) ? checkName(name, maxPasskeyNameLength) : defaultName(request)

    const session = request.signedIn.session
    const outcome = await guessing(app.db, session.userId, async () => {
      const registration = await verifyRegistration(app, registrationScope(request), response)
      return registration && addPasskey(app, session, registration, passkeyName)
    })
    if (outcome === 'full') return reply.alert(text('You have 20 passkeys already')).redirect(page)
    request.security('passkey', outcome ? 'added' : 'wrong')
    if (!outcome) return reply.alert(passkeyRefused).redirect(page)
    return reply.setSession(outcome.token).notice(text('Passkey added')).redirect(page)
  })

  // No page has them, since pages are kept in the history.
  const reading = { config: { answersJson: true, noindex: true } } as const
  app.get(passkeysPaths.acceptedPasskeys().url, reading, ({ signedIn }) => acceptedBy(app, signedIn.user.id))

  const renaming = checkedRoute(page, profileChecksBudget, { params: IdParams, body: NameBody })
  app.patch(`/settings/passkeys/${idPattern}`, renaming, async (request, reply) => {
    const name = checkName(request.body.name ?? '', maxPasskeyNameLength)
    if (request.precognitive) return reply.valid()

    await renamePasskey(app.db, request.signedIn.session, Number(request.params.id), name)
    return reply.notice(text('Passkey renamed')).redirect(page)
  })

  const removal = formRoute(page, 'passkey_removal', { params: IdParams, body: ChallengeBody })
  app.delete(`/settings/passkeys/${idPattern}`, removal, async (request, reply) => {
    const passkeyId = Number(request.params.id)
    // Checked first, so that people do not confirm who they are only to be refused.
    await requireAnotherWay(app, app.db, request.signedIn.user.id, { method: 'passkeys', id: passkeyId })
    await removePasskey(app, await reauthenticateSession(request), passkeyId)
    request.security('passkey', 'removed')
    return reply.notice(text('Passkey removed')).redirect(page)
  })
}

/** The browser and the date, in the person's language, without the signs that isolate a name in a sentence. */
function defaultName(request: FastifyRequest) {
  const day = { at: request.server.now(), precision: 'day' } as const
  return request
    .translate(text('{device}, {day}', { device: deviceIn(clientOf(request).userAgent), day }))
    .replace(/[\u2068\u2069]/g, '')
    .slice(0, maxPasskeyNameLength)
}

/** The challenge must be answered in the session that requested it. */
function registrationScope(request: FastifyRequest): ChallengeScope {
  const { userId, token } = request.signedIn.session
  return { purpose: 'registration', of: `${userId} ${token}` }
}
