import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { type Text, text } from '../../plugins/languages/index.ts'
import type { ProviderClient, ProviderProfile } from '../../plugins/openid/client.ts'
import { Cancelled, InvalidResponse, ProviderUnavailable } from '../../plugins/openid/failures.ts'
import type { SecurityEvents } from '../../plugins/security/log.ts'
import { visitorOf } from '../auth/device.ts'
import { beginSignIn, contextFields, contextIn, continueSignIn } from '../auth/sign-in.ts'
import { formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import { type Intent, readState, saveState, secretsOf, setPendingIdentity, spendState } from './cookies.ts'
import type { byProvider } from './factor.ts'
import { connect, recognize } from './identities.ts'
import { providersPaths } from './paths.ts'

type Options = { client: ProviderClient; factor: ReturnType<typeof byProvider> }

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { client, factor }) => {
  const { origin } = app.site
  const starting = {
    ...formRoute(paths.signInPage().url, 'provider_start', { body: Type.Object(contextFields) }),
    onRequest: app.requireGuest,
  }
  app.post(providersPaths.startProvider(client.id).url, starting, (request, reply) =>
    redirectToProvider(reply, client, contextIn(request)),
  )

  const returning = {
    onRequest: app.loadAuth,
    config: { form: paths.security().url },
    exposeHeadRoute: false, // link previews must not use it up
  }
  app.get(providersPaths.providerCallback(client.id).url, returning, async (request, reply) => {
    const { state, error } = request.query as Record<string, unknown>
    const begun = readState(reply, state)
    try {
      const start = await spendState(request, begun, client.id)
      if (request.auth && !start.session) return reply.redirect(paths.home().url)
      if (error === 'access_denied') throw new Cancelled()

      const parameters = new URL(request.url, origin).searchParams
      const profile = await client.finish(parameters, secretsOf(start))
      if (!start.session) return await signInAs(reply, profile, start)
      return answerConnection(reply, client, await connect(app, request.signedIn.session, profile))
    } catch (error) {
      return refuse(reply, client, begun ?? {}, error)
    }
  })

  async function signInAs(reply: FastifyReply, profile: ProviderProfile, intent: Intent) {
    const { invitation, returnTo } = intent
    const match = await recognize(app.db, profile)
    if (!match) {
      reply.request.security('provider', 'unknown', { provider: client.id })
      setPendingIdentity(reply, { ...profile, invitation, returnTo })
      return reply.redirect(providersPaths.providerSignUp(client.id).url)
    }
    const { id, user } = match
    reply.request.security('provider', 'right', { user: user.id, provider: client.id })
    const proof = { id, provider: client.id, email: profile.email, name: profile.name }
    const context = { ...(invitation && { invitation }), returnTo }
    const begun = await beginSignIn(app, user.id, { visitor: visitorOf(reply.request), factor, proof })
    if (!begun) throw new InvalidResponse('changed_meanwhile')
    return continueSignIn(reply, begun, context)
  }
}

export async function redirectToProvider(reply: FastifyReply, client: ProviderClient, intent: Intent) {
  try {
    return reply.external(String(await client.begin(saveState(reply, client.id, intent))))
  } catch (error) {
    return refuse(reply, client, intent, error)
  }
}

/** Redirects back to where the person came from. Throws errors that are not about the provider. */
function refuse(reply: FastifyReply, client: ProviderClient, intent: Intent, error: unknown) {
  const [outcome, alert] = decide(client, error)
  const isKnown = error instanceof InvalidResponse || error instanceof ProviderUnavailable
  const reason = isKnown ? { reason: error.reason } : {}
  reply.request.security('provider', outcome, { ...reason, provider: client.id })
  const back = intent.session ? paths.security() : paths.signInPage(intent.invitation, intent.returnTo)
  return reply.alert(alert).redirect(back.url)
}

function decide({ name }: ProviderClient, error: unknown): [SecurityEvents['provider'], Text] {
  if (error instanceof Cancelled) return ['cancelled', text('You cancelled {name}', { name })]
  if (error instanceof ProviderUnavailable)
    return ['unreachable', text("{name} can't be reached. Try again later", { name })]
  if (error instanceof InvalidResponse) return ['refused', text("{name} didn't work. Try again", { name })]
  throw error
}

type Connection = Awaited<ReturnType<typeof connect>>

export function answerConnection(reply: FastifyReply, { id, name }: ProviderClient, outcome: Connection) {
  if (outcome === 'connected') reply.request.security('provider', 'connected', { provider: id })
  if (outcome === 'taken') reply.alert(text('That {name} account is connected to somebody else', { name }))
  else if (outcome === 'full') reply.alert(text('You have 10 connected accounts already'))
  else if (outcome !== 'spent') reply.notice(text('{name} is connected', { name }))
  return reply.redirect(paths.security().url)
}
