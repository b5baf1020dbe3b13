import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Invalid } from '../../plugins/forms/index.ts'
import { OptionalText } from '../../plugins/forms/parameters.ts'
import { text } from '../../plugins/languages/index.ts'
import { isEmailAddress, normalizeEmail } from '../../plugins/mail/index.ts'
import { callbackRoute, comeBack, leaveFor } from '../../plugins/openid/round-trip.ts'
import { contextOfForm, contextOfQuery, formInContext, formRoute, signInFields } from '../forms.ts'
import { paths } from '../paths.ts'
import { isAtDomainOf } from './addresses.ts'
import type { Provided } from './connection-form.ts'
import { type Connected, connectionAt, connectionFor, createClients } from './connections.ts'
import { domainOf } from './domain-names.ts'
import { accountClosedTo, ownersFactor } from './owner.ts'
import { singleSignOnPaths } from './paths.ts'
import { workspacePolicy } from './policy.ts'

const SlugParams = Type.Object({ slug: Type.String() })
const ContextBody = Type.Object(signInFields)
const EmailBody = Type.Object({ email: OptionalText, ...signInFields })

/** The ways to the provider of a workspace, and back. */
export const signInRoutes: FastifyPluginAsyncTypebox<Provided> = async (app, { fetch, allowPrivate }) => {
  const clients = createClients({ sealing: app.sealing, origin: app.site.origin, fetch })
  const policyOf = (connected: Connected) => workspacePolicy(app, connected, { clients, allowPrivate })

  // Pages. Opening one starts nothing, whatever its address says: no other site can sign anybody in.

  const guests = { onRequest: app.requireGuest }
  const schema = { querystring: ContextBody }
  app.get(singleSignOnPaths.singleSignOnByEmail().url, { ...guests, schema }, (request, reply) =>
    reply.page('auth/sso', contextOfQuery(request)),
  )

  const anybody = { onRequest: app.loadAuth }
  const slugSchema = { params: SlugParams, ...schema }
  app.get('/sign_in/sso/:slug', { ...anybody, schema: slugSchema }, async (request, reply) => {
    const { slug } = request.params
    const { auth } = request
    const connected = await connectionAt(app.db, slug)
    const account = connected?.account ?? (auth && (await accountClosedTo(app, auth.session, slug)))
    if (!account) return noSingleSignOn(request, reply)
    // Their first page may be that of this workspace, which would lead here again.
    if (!connected) reply.alert(missing)
    const factor = auth && (await ownersFactor(app, auth.session, account.id))
    return reply.page('auth/sso-start', {
      slug: account.slug,
      ...contextOfQuery(request),
      ...(!connected && ({ unavailable: true } as const)),
      ...(factor?.counts && ({ second_factor: true } as const)),
      ...(factor?.countsFrom && { second_factor_from: factor.countsFrom.toISOString() }),
    })
  })

  // Starts.

  const finding = formRoute(formInContext(singleSignOnPaths.singleSignOnByEmail), 'sso_search', { body: EmailBody })
  app.post(singleSignOnPaths.findSingleSignOn().url, { ...guests, ...finding }, async (request, reply) => {
    const email = normalizeEmail(request.body.email ?? '')
    const domain = isEmailAddress(email) ? domainOf(email) : undefined
    const connected = domain && (await connectionFor(app.db, domain))
    if (!connected) throw new Invalid({ email: [text('has no single sign-on')] })
    return leaveFor(reply, policyOf(connected), contextOfForm(request), email)
  })

  const starting = formRoute(startPage, 'sso_start', { params: SlugParams, body: ContextBody })
  app.post('/sign_in/sso/:slug', { ...anybody, ...starting }, async (request, reply) => {
    const connected = await connectionAt(app.db, request.params.slug)
    if (!connected) return noSingleSignOn(request, reply)
    const email = request.auth?.user.email
    // The provider of any workspace must not learn who pressed its button.
    const hint = email && (await isAtDomainOf(app.db, connected.account.id, email)) ? email : undefined
    return leaveFor(reply, policyOf(connected), contextOfForm(request), hint)
  })

  // The way back.

  const callback = { ...callbackRoute(startPage), ...anybody, schema: { params: SlugParams } }
  app.get('/sign_in/sso/:slug/callback', callback, async (request, reply) => {
    const connected = await connectionAt(app.db, request.params.slug)
    if (!connected) return noSingleSignOn(request, reply)
    return comeBack(reply, policyOf(connected))
  })
}

/** The page of the workspace whose single sign-on a request is about. */
const startPage = ({ params }: FastifyRequest) => singleSignOnPaths.singleSignOn((params as { slug: string }).slug).url

const missing = text('There is no single sign-on')

const noSingleSignOn = ({ auth }: FastifyRequest, reply: FastifyReply) =>
  auth ? reply.redirect(paths.home().url) : reply.alert(missing).redirect(singleSignOnPaths.singleSignOnByEmail().url)
