import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ChallengeBody, challengeFields, idPattern, OptionalText } from '../../plugins/forms/parameters.ts'
import { optional } from '../../plugins/inertia/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { take } from '../../plugins/security/limits/index.ts'
import {
  AccountParams,
  accountProps,
  accountRoute,
  actorOf,
  belowAccount,
  changeBudget,
  formAt,
  ItemParams,
  memberOf,
  requireRight,
} from '../accounts/member.ts'
import { reauthenticate } from '../auth/reauthentication/index.ts'
import { flashSecret, readFlashedSecret } from '../flashed-secrets.ts'
import { formRoute } from '../forms.ts'
import { ownerAs } from './changes.ts'
import { dismissFailure, removeConnection, saveConnection } from './connection-changes.ts'
import { askProvider, checkConnection, connectionFields, type Provided } from './connection-form.ts'
import { connectionOf } from './connections.ts'
import { domainOf, isFreeMail } from './domain-names.ts'
import { addDomain, checkDomain, domainsOf, lookAtDomains, removeDomain, verifyDomain } from './domains.ts'
import { hasPassed } from './passes.ts'
import { singleSignOnPaths } from './paths.ts'
import { presentConnection, presentDomain } from './props.ts'
import { affectedBy, startRequiring, stopRequiring } from './requirement.ts'
import { makeSetupLink, setupLinkOf, withdrawSetupLink } from './setup/links.ts'
import { setupPaths } from './setup/paths.ts'

/** The domain that is probably the company's. */
function companyOf(email: string) {
  const domain = domainOf(email)
  return domain && !isFreeMail(domain) ? domain : null
}

declare module '../flashed-secrets.ts' {
  interface Secrets {
    ssoSetupToken?: string
  }
}

const ConnectionBody = Type.Object({ ...connectionFields, ...challengeFields })

/** The page of a workspace, where its owners prove domains, connect the provider and require it. */
export const workspaceRoutes: FastifyPluginAsyncTypebox<Provided> = async (app, provided) => {
  belowAccount(app)
  app.addHook('onRequest', requireRight('sso.manage'))

  const { db } = app
  const url = `${accountRoute}/sso`
  const form = formAt(singleSignOnPaths.accountSingleSignOn)
  const setterOf = (request: FastifyRequest) => ownerAs(app, actorOf(request))
  const schema = { params: AccountParams }

  app.get(url, { schema, config: { reauthenticates: true } }, async (request, reply) => {
    const { account } = memberOf(request)
    const [domains, connection, setupLink, passed] = await Promise.all([
      domainsOf(db, account.id),
      connectionOf(db, account.id),
      setupLinkOf(app, account.id),
      hasPassed(app, db, actorOf(request)),
    ])
    const { ssoSetupToken } = readFlashedSecret(request)
    if (ssoSetupToken) reply.flashNow({ sso_setup_link: app.site.origin + setupPaths.setup(ssoSetupToken).url })
    return reply.page('accounts/sso', {
      ...accountProps(request),
      domains: domains.map(presentDomain),
      suggestion: domains.length === 0 ? companyOf(request.signedIn.user.email) : null,
      connection: connection ? presentConnection(connection) : null,
      callback_url: app.site.origin + singleSignOnPaths.singleSignOnCallback(account.slug).url,
      start_url: app.site.origin + singleSignOnPaths.singleSignOn(account.slug).url,
      required: account.requireSingleSignOn,
      passed,
      setup_link: setupLink ? { expires_at: setupLink.expiresAt.toISOString() } : null,
      affected: optional(() => affectedBy(app, actorOf(request))),
    })
  })

  app.get(`${url}/tried`, { schema }, async (request, reply) => {
    const passed = await hasPassed(app, db, actorOf(request))
    return passed ? reply.page('accounts/sso-tried', accountProps(request)) : reply.redirect(form(request))
  })

  const saving = formRoute(form, changeBudget, { ...schema, body: ConnectionBody })
  app.patch(url, saving, async (request, reply) => {
    await take(db, 'sso_save', request.signedIn.user.id)
    const { account } = memberOf(request)
    const connection = await connectionOf(db, account.id)
    const { errors, checked } = checkConnection(request.body, connection, provided.allowPrivate)
    const reauthentication = await reauthenticate(request, errors)
    const asked = await askProvider(app, provided, { account, connection, checked })
    await saveConnection(app, setterOf(request), asked, reauthentication)
    return reply.notice(text('Single sign-on saved')).redirect(form(request))
  })

  app.delete(url, formRoute(form, changeBudget, { ...schema, body: ChallengeBody }), async (request, reply) => {
    const reauthentication = await reauthenticate(request)
    const { endsOwnSession } = await removeConnection(app, actorOf(request), reauthentication)
    request.security('session', 'ended')
    if (endsOwnSession) reply.clearSession()
    return reply.notice(text('Single sign-on removed')).redirect(form(request))
  })

  const making = formRoute(form, changeBudget, { ...schema, body: ChallengeBody })
  app.post(`${url}/setup_link`, making, async (request, reply) => {
    const token = await makeSetupLink(app, actorOf(request), await reauthenticate(request))
    return flashSecret(reply, { ssoSetupToken: token }).notice(text('Setup link created')).redirect(form(request))
  })

  app.delete(`${url}/setup_link`, formRoute(form, changeBudget, schema), async (request, reply) => {
    await withdrawSetupLink(app, actorOf(request))
    return reply.notice(text('Setup link withdrawn')).redirect(form(request))
  })

  app.delete(`${url}/failure`, formRoute(form, changeBudget, schema), async (request, reply) => {
    await dismissFailure(app, actorOf(request))
    return reply.redirect(form(request))
  })

  const RequirementBody = Type.Object({ required: Type.Boolean(), ...challengeFields })
  app.patch(
    `${url}/requirement`,
    formRoute(form, changeBudget, { ...schema, body: RequirementBody }),
    async (request, reply) => {
      const actor = actorOf(request)
      const { required } = request.body
      if (required) {
        await startRequiring(app, actor)
        return reply.notice(text('Single sign-on is now required')).redirect(form(request))
      }
      const turnsOff = memberOf(request).account.requireSingleSignOn
      await stopRequiring(app, actor, turnsOff ? await reauthenticate(request) : undefined)
      return reply.notice(text('Single sign-on is no longer required')).redirect(form(request))
    },
  )

  const adding = formRoute(form, changeBudget, { ...schema, body: Type.Object({ domain: OptionalText }) })
  app.post(`${url}/domains`, adding, async (request, reply) => {
    const domain = checkDomain(request.body.domain ?? '')
    await addDomain(app, setterOf(request), domain)
    return reply.notice(text('{domain} was added', { domain })).redirect(form(request))
  })

  const item = formRoute(form, changeBudget, { params: ItemParams })
  const idOf = ({ params }: FastifyRequest) => Number((params as { id: string }).id)
  app.post(`${url}/domains/${idPattern}/verification`, item, async (request, reply) => {
    await take(db, 'domain_look', request.signedIn.user.id)
    const domain = await verifyDomain(app, setterOf(request), idOf(request))
    return reply.notice(text('{domain} is verified', { domain })).redirect(form(request))
  })

  // While the page is open. It says nothing of what it does not find.
  app.post(`${url}/domains/looks`, formRoute(form, 'domain_watch', schema), async (request, reply) => {
    const verified = await lookAtDomains(app, setterOf(request))
    for (const domain of verified) reply.notice(text('{domain} is verified', { domain }))
    return reply.redirect(form(request))
  })

  app.delete(`${url}/domains/${idPattern}`, item, async (request, reply) => {
    const domain = await removeDomain(app, actorOf(request), idOf(request))
    return reply.notice(text('{domain} was removed', { domain })).redirect(form(request))
  })
}
