import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { assertValid } from '../../../plugins/forms/index.ts'
import { idPattern, OptionalText } from '../../../plugins/forms/parameters.ts'
import { NotFound, prefersJson } from '../../../plugins/http/errors.ts'
import { text } from '../../../plugins/languages/index.ts'
import { take } from '../../../plugins/security/limits/index.ts'
import { formRoute } from '../../forms.ts'
import { saveConnection } from '../connection-changes.ts'
import { askProvider, checkConnection, connectionFields, type Provided } from '../connection-form.ts'
import { connectionOf } from '../connections.ts'
import { addDomain, checkDomain, domainsOf, lookAtDomains, verifyDomain } from '../domains.ts'
import { singleSignOnPaths } from '../paths.ts'
import { presentDomain } from '../props.ts'
import { findSetup, linkAs } from './links.ts'
import { setupPaths } from './paths.ts'

const TokenParams = Type.Object({ token: Type.String() })

/** What whoever has the setup link of a workspace sees and does: its domains with their records, and its connection. */
export const setupRoutes: FastifyPluginAsyncTypebox<Provided> = async (app, provided) => {
  const { db, site } = app
  app.addHook('onRequest', app.loadAuth)
  // The address is a secret: no other site learns it from a link, and no list of pages shows it.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'same-origin')
  })
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, forEveryone: true }
  })
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof NotFound) return sendVoid(request, reply)
    throw error
  })

  const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token
  const form = (request: FastifyRequest) => setupPaths.setup(tokenOf(request)).url
  const url = '/invitations/sso/:token'
  const route = formRoute(form, 'sso_setup', { params: TokenParams })

  /** Throws NotFound. */
  async function setupOf(request: FastifyRequest) {
    const setup = await findSetup(app, tokenOf(request))
    if (!setup) throw new NotFound()
    return { ...setup, setter: linkAs(app, tokenOf(request), setup) }
  }

  // Without a limit: whoever is over that of the form is led here, again and again.
  app.get(url, { schema: { params: TokenParams }, config: { noindex: true } }, async (request, reply) => {
    const { account, expiresAt } = await setupOf(request)
    const [domains, connection] = await Promise.all([domainsOf(db, account.id), connectionOf(db, account.id)])
    return reply.page('accounts/sso-setup', {
      token: tokenOf(request),
      account_name: account.name,
      domains: domains.map(presentDomain),
      connection: connection ? { issuer: connection.issuer, client_id: connection.clientId } : null,
      callback_url: site.origin + singleSignOnPaths.singleSignOnCallback(account.slug).url,
      expires_at: expiresAt.toISOString(),
    })
  })

  const saving = formRoute(form, 'sso_setup', { params: TokenParams, body: Type.Object(connectionFields) })
  app.patch(url, saving, async (request, reply) => {
    const { account, setter } = await setupOf(request)
    await take(db, 'sso_setup_change', account.id)
    const connection = await connectionOf(db, account.id)
    const { errors, checked } = checkConnection(request.body, connection, provided.allowPrivate)
    assertValid(errors)
    await saveConnection(app, setter, await askProvider(app, provided, { account, connection, checked }))
    return reply.notice(text('Single sign-on saved')).redirect(form(request))
  })

  const body = Type.Object({ domain: OptionalText })
  app.post(`${url}/domains`, formRoute(form, 'sso_setup', { params: TokenParams, body }), async (request, reply) => {
    const { account, setter } = await setupOf(request)
    await take(db, 'sso_setup_change', account.id)
    const domain = checkDomain(request.body.domain ?? '')
    await addDomain(app, setter, domain)
    return reply.notice(text('{domain} was added', { domain })).redirect(form(request))
  })

  app.post(`${url}/domains/looks`, route, async (request, reply) => {
    const { account, setter } = await setupOf(request)
    await take(db, 'sso_setup_change', account.id)
    for (const domain of await lookAtDomains(app, setter)) reply.notice(text('{domain} is verified', { domain }))
    return reply.redirect(form(request))
  })

  const item = formRoute(form, 'sso_setup', { params: Type.Object({ token: Type.String(), id: Type.String() }) })
  app.post(`${url}/domains/${idPattern}/verification`, item, async (request, reply) => {
    const { account, setter } = await setupOf(request)
    await take(db, 'sso_setup_change', account.id)
    const domain = await verifyDomain(app, setter, Number(request.params.id))
    return reply.notice(text('{domain} is verified', { domain })).redirect(form(request))
  })
}

/** Used up, withdrawn, expired and never made look the same. */
const sendVoid = (request: FastifyRequest, reply: FastifyReply) =>
  prefersJson(request.headers.accept) ? reply.sendError(404) : reply.code(404).page('accounts/sso-setup-void', {})
